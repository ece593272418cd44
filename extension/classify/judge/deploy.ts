/**
 * Deployment platforms where a table is not enough: SQL given to them.
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

const SQL_VERB =
  /^(?:d1 execute|pg:psql|db execute|db shell|db query|database query)(?: |$)/;

/** As the table says; SQL on the command line decides for itself. */
export const judgeDeploy: Judge = (command, rule) => {
  const hit = byTable(command, rule);
  if (hit?.label !== "bypass") return hit;
  const found = positionals(
    command,
    new Set(["-a", "--app", "--remote", "-r", "-c", "--command"]),
  );
  const verb = found.map((w) => w.value).join(" ");
  if (!SQL_VERB.test(verb)) return hit;
  const sql = optionValue(command, "--command", "-c", "--sql", "-q") ??
    found.find((w) => /\s/.test(w.value));
  if (!sql || sql.value === "") return hit;
  return judged(rule, command, sqlWrites(sql.value) ? "write" : "read", {
    word: sql,
  });
};
