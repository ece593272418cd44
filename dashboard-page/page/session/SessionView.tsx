import type { ReactElement } from "react";
import type { Request } from "../../client/request.ts";
import type { Nav } from "../base/nav.ts";

/** One session. */
export function SessionView(
  { id }: { request: Request; id: string; nav: Nav },
): ReactElement {
  return <p>{id}</p>;
}
