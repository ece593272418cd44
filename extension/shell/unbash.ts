/**
 * The only file that knows the parser package, so that another version or
 * another parser touches nothing else.
 *
 * @module
 */
import { forEachChild, parse } from "npm:unbash@6.0.4";
import type {
  Assignment,
  Command,
  HereDocBody,
  ParsedScript,
  Redirection,
  SyntaxNode,
  Word,
  WordPart,
} from "npm:unbash@6.0.4";

export type {
  Assignment as AssignmentNode,
  Command as CommandNode,
  HereDocBody as BodyNode,
  ParsedScript as ScriptNode,
  Redirection as RedirectNode,
  SyntaxNode,
  Word as WordNode,
  WordPart as PartNode,
};

/** Calls back once for each direct child. */
export const children: (
  node: SyntaxNode,
  callback: (child: SyntaxNode) => void,
) => void = forEachChild;

/** Most `<<` in one text: the parser's time grows with their square. */
const HEREDOC_LIMIT = 300;

/** The syntax tree; undefined where the parser gives up (stack, bug). */
export function parseScript(source: string): ParsedScript | undefined {
  let heredocs = 0;
  for (let at = source.indexOf("<<"); at >= 0; at = source.indexOf("<<", at)) {
    if (++heredocs > HEREDOC_LIMIT) return undefined;
    at += 2;
  }
  try {
    return parse(source);
  } catch {
    return undefined;
  }
}
