/**
 * `gh` and its kin: conversation is neutral, what runs or deploys is not.
 *
 * @module
 */
import type { Command } from "../../shell/types.ts";
import {
  byTable,
  hasOption,
  type Judge,
  type Judged,
  judged,
  optionValue,
  positionals,
  type Rule,
  words,
} from "../rule.ts";

const VALUED = new Set(
  words(
    "-R --repo --hostname -X --method -H --header -f -F --field --raw-field --input --jq -q -t --template --cache -p --preview",
  ),
);

/** Paths of the API about running and releasing, by any way a bypass. */
const OPERATIONS =
  /(?:^|\/)(?:secrets|variables|environments|deployments|releases|dispatches|runs|jobs|workflows|artifacts|runners|caches|hooks|keys|pages|codespaces|triggers?|pipelines|permissions|deploy_keys|runner-groups|oidc)(?:\/|$|\?)/;
/** Paths of the API about code review and planning. */
const CONVERSATION =
  /(?:^|\/)(?:pulls|issues|comments|reviews|labels|milestones|reactions|requested_reviewers|assignees|merge_requests|notes|discussions|replies|lock|subscription|notifications|gists|projects|review-requests|dismissals|threads)(?:\/|$|\?)/;
/** Mutations of the graph API that are conversation. */
const CONVERSING =
  /^(?:add|update|delete|resolve|unresolve|minimize|unminimize|submit|dismiss|request|mark|unmark|close|reopen|lock|unlock|pin|unpin|convert|merge|enable|disable|remove|clear|create|archive|copy)(?:PullRequest|Comment|Issue|Review|ReviewThread|Reaction|Label|Labels|Assignees|Discussion|ProjectV2|ProjectCard|Project|SubIssue|Milestone|AutoMerge|Subject|Reviews|DiscussionComment|Conversation|Lockable|PullRequestReview|Upvote|LinkedBranch|IssueComment)/;

/** Decides on `gh api` and `glab api`; the rest is in the table. */
export const judgeForge: Judge = (command, rule) => {
  const found = positionals(command, VALUED);
  if (found[0]?.value !== "api") return byTable(command, rule);
  const endpoint = found[1];
  if (!endpoint || hasOption(command, "--help")) {
    return judged(rule, command, "neutral");
  }
  const path = endpoint.value;
  return /(?:^|\/)graphql$/.test(path)
    ? graph(command, rule)
    : rest(command, rule, path, endpoint);
};

function rest(
  command: Command,
  rule: Rule,
  path: string,
  endpoint: { start: number; end: number; literal: boolean },
): Judged {
  const given = optionValue(command, "-X", "--method")?.value.toUpperCase();
  const fields = command.argv.some((w) =>
    /^(?:-[fF].{0,200}|--(?:raw-)?field(?:=.{0,200})?|--input(?:=.{0,200})?)$/s
      .test(w.value)
  );
  const method = given ?? (fields ? "POST" : "GET");
  const writes = method !== "GET" && method !== "HEAD";
  const end = Math.max(
    endpoint.end,
    optionValue(command, "-X", "--method")?.end ?? 0,
  );
  const more = { end, ...(endpoint.literal ? {} : { low: true }) };
  // Files in a repository may be called like anything.
  const about = path.replace(/\/(?:contents|git|compare|commits)\/.*$/s, "");
  if (
    OPERATIONS.test(about) && !CONVERSATION.test(about.replace(/\?.*$/s, ""))
  ) {
    return judged(rule, command, writes ? "write" : "read", more);
  }
  if (!writes) return judged(rule, command, "neutral", more);
  if (CONVERSATION.test(path)) {
    return judged(rule, command, "neutral", { ...more, tags: ["forge-write"] });
  }
  return judged(rule, command, "write", more);
}

function graph(command: Command, rule: Rule): Judged {
  const query = command.argv.find((w) => /^query=/.test(w.value)) ??
    optionValue(command, "--field", "--raw-field");
  const text = query?.value.replace(/^query=/, "") ?? "";
  const end = query ? Math.min(query.end, query.start + 200) : undefined;
  const more = end === undefined ? {} : { end };
  if (!/^\s*mutation\b/.test(text.replace(/^\s*#.*$/gm, ""))) {
    return judged(rule, command, "neutral", {
      ...more,
      ...(text === "" || text.startsWith("@") ? { low: true } : {}),
    });
  }
  const names = [...text.slice(0, 4000).matchAll(/([a-z][A-Za-z]{2,60})\s*\(/g)]
    .map((m) => m[1] ?? "").filter((n) => n !== "mutation");
  const talks = names.length > 0 &&
    names.every((n) => CONVERSING.test(n) || /^(?:first|last)$/.test(n));
  return talks
    ? judged(rule, command, "neutral", { ...more, tags: ["forge-write"] })
    : judged(rule, command, "write", more);
}
