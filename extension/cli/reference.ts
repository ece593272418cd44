/**
 * The reference of the command line, from the same tables as `--help`.
 *
 * @module
 */
import type { AnyCommand } from "./command.ts";
import { COMMANDS } from "./commands/mod.ts";
import { COMMON, type OptionTable } from "./options.ts";

/** All commands with their options and examples, as Markdown. */
export function cliReference(): string {
  return [
    "# Command line",
    "",
    "`swamp-sessions COMMAND [options]`. With the `swamp` shim ahead on `PATH`,",
    "`swamp extension import sessions` is `swamp-sessions import`.",
    "",
    "Exit codes: 0 done; 1 something asked for could not be done; 2 wrong usage;",
    "75 another import holds the lock; 130 interrupted a second time (Ctrl-C,",
    "SIGTERM): the first one stops in good order, with 1, the second at once.",
    "Either leaves a whole store.",
    "",
    "## Options of every command",
    "",
    ...optionRows(COMMON),
    ...COMMANDS.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines(spec: AnyCommand): string[] {
  const { argument } = spec;
  const usage = argument ? ` [${argument.name}]` : "";
  const lines = ["", `## ${spec.name}`, "", spec.about, ""];
  lines.push("```console");
  for (const [line, what] of spec.examples) {
    lines.push(`$ swamp-sessions ${line}   # ${what}`);
  }
  lines.push(
    "```",
    "",
    `\`swamp-sessions ${spec.name}${usage} [options]\``,
    "",
  );
  if (argument) lines.push(`- \`${argument.name}\`: ${argument.help}`, "");
  if (Object.keys(spec.options).length > 0) {
    lines.push(...optionRows(spec.options));
  }
  return lines;
}

function optionRows(options: OptionTable): string[] {
  return [
    "| option | |",
    "| --- | --- |",
    ...Object.entries(options).map(([name, option]) => {
      const value = option.placeholder ? ` <${option.placeholder}>` : "";
      return `| \`--${name}${value}\` | ${
        option.help.replaceAll("|", "\\|")
      } |`;
    }),
  ];
}
