import type { ReactElement } from "react";
import type { Request } from "../../client/request.ts";
import type { Nav } from "../base/nav.ts";

/** Two sessions side by side. */
export function CompareView(
  { a, b }: { request: Request; a: string; b: string; nav: Nav },
): ReactElement {
  return <p>{a} {b}</p>;
}
