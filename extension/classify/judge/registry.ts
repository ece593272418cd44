/**
 * Images pushed by container engines.
 *
 * @module
 */
import { hasOption, type Judge, judged, positionals, words } from "../rule.ts";

const VALUED = new Set(
  words(
    "-H --host -c --context --config -l --log-level -f --file -p --project-name --profile -t --tag --platform --builder --build-arg --target --cache-from --cache-to --label --env-file --set",
  ),
);
const LOCAL =
  /^(?:(?:oci|dir|oci-archive|docker-archive|docker-daemon|containers-storage):|(?:docker:\/\/)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|(?:kind-)?registry(?=:))(?::\d{1,5})?\/)/;

/** `docker push`, `docker buildx build --push`, `docker compose push`. */
export const judgeEnginePush: Judge = (command, rule) => {
  const found = positionals(command, VALUED);
  let at = 0;
  while (
    /^(?:image|images|compose|manifest|buildx|plugin|trust|builder|buildah)$/
      .test(found[at]?.value ?? "")
  ) at++;
  const verb = found[at];
  if (!verb) return undefined;
  const pushes = verb.value === "push" ||
    (/^(?:build|bake|b|imagetools)$/.test(verb.value) &&
      (hasOption(command, "--push") ||
        command.argv.some((w) =>
          /(?:^|,)(?:type=registry|push=true)/.test(w.value)
        ))) ||
    (verb.value === "create" && found[at - 1]?.value === "imagetools");
  if (!pushes) return undefined;
  if (hasOption(command, "--help") || hasOption(command, "--dry-run")) {
    return judged(rule, command, "neutral", { word: verb });
  }
  // `podman push IMAGE DESTINATION`
  const image = verb.value === "push" && found[at + 2] || found[at + 1] ||
    command.argv.find((w, i) =>
      /^(?:-t|--tag)$/.test(command.argv[i - 1]?.value ?? "") && w.value !== ""
    );
  if (image && LOCAL.test(image.value)) {
    return judged(rule, command, "neutral", { word: verb });
  }
  return judged(rule, command, "write", { word: verb });
};
