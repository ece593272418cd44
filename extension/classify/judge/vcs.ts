/**
 * Pushing to a remote that deploys.
 *
 * @module
 */
import { hasOption, type Judge, judged, positionals } from "../rule.ts";

const REMOTE =
  /^(?:heroku|dokku|piku|gigalixir|scalingo|clever|azure|aws-?eb|production|live|deploy)(?:[-_@:].{0,200})?$|^dokku@|^https:\/\/git\.heroku\.com\//;

/** `git push heroku main`; everything else of git is neutral. */
export const judgePush: Judge = (command, rule) => {
  const found = positionals(
    command,
    new Set(["-C", "-c", "--git-dir", "--work-tree", "-o"]),
  );
  if (found[0]?.value !== "push") return undefined;
  const remote = found[1];
  if (!remote || !REMOTE.test(remote.value)) return undefined;
  if (hasOption(command, "--dry-run") || hasOption(command, "-n")) {
    return undefined;
  }
  return judged(rule, command, "write", { word: remote });
};
