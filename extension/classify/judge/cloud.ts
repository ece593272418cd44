/**
 * Clouds' command lines where a table is not enough.
 *
 * @module
 */
import {
  byTable,
  type Judge,
  judged,
  optionValue,
  positionals,
} from "../rule.ts";
import { sqlWrites } from "./db.ts";
import { isLocalHost, target } from "./hosts.ts";

/** AWS's command line; an emulator on this machine is no cloud. */
export const judgeAws: Judge = (command, rule, scene) => {
  const endpoint = optionValue(command, "--endpoint-url")?.value ??
    command.assignments.find((a) => a.name === "AWS_ENDPOINT_URL")?.value
      .value ??
    scene.parse.variables.get("AWS_ENDPOINT_URL");
  if (endpoint && isLocalHost(target(endpoint).host)) {
    return judged(rule, command, "neutral", { category: "neutral.test" });
  }
  return byTable(command, rule);
};

/** Azure's; `az rest` is as its method is. */
export const judgeAzure: Judge = (command, rule) => {
  const found = positionals(command, new Set(["--subscription"]));
  if (command.program === "az" && found[0]?.value === "rest") {
    const method =
      optionValue(command, "--method", "-m")?.value.toLowerCase() ?? "get";
    const effect = /^(?:get|head)$/.test(method) ? "read" : "write";
    return judged(rule, command, effect, { word: found[0] });
  }
  return byTable(command, rule);
};

/** Google's; `bq query` is as its SQL is. */
export const judgeGoogle: Judge = (command, rule) => {
  if (command.program === "bq") {
    const found = positionals(
      command,
      new Set(["--project_id", "--location", "--format"]),
    );
    if (found[0]?.value === "query") {
      const sql = found.slice(1).map((w) => w.value).join(" ") +
        (command.redirects.find((r) => r.body)?.body?.value ?? "");
      const effect = command.argv.some((w) => /^--dry_run/.test(w.value))
        ? "neutral"
        : sqlWrites(sql) ||
            command.argv.some((w) =>
              /^--(?:destination_table|append_table|replace)/.test(w.value)
            )
        ? "write"
        : "read";
      return judged(rule, command, effect, { word: found[0] });
    }
  }
  return byTable(command, rule);
};
