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
import { sqlWrites } from "./db.ts";
import { isLocalHost, target } from "./remote.ts";

const VALUED = new Set(
  words(
    "-R --repo --hostname -X --method -H --header -f -F --field --raw-field --input --jq -q -t --template --cache -p --preview",
  ),
);

/** Paths of the API about running and releasing, by any way a bypass. */
const OPERATIONS =
  /(?:^|\/)(?:secrets|variables|environments|deployments|releases|dispatches|runs|jobs|workflows|artifacts|runners|caches|hooks|keys|pages|codespaces|triggers?|pipelines?|deploy_tokens|permissions|deploy_keys|runner-groups|oidc)(?:\/|$|\?)/;
/** Paths of the API about code review and planning. */
const CONVERSATION =
  /(?:^|\/)(?:pulls|issues|comments|reviews|labels|milestones|reactions|requested_reviewers|assignees|merge_requests|notes|discussions|replies|lock|subscription|notifications|gists|projects|review-requests|dismissals|threads)(?:\/|$|\?)/;
/** Mutations of the graph API that are conversation. */
const CONVERSING =
  /^(?:add|update|delete|resolve|unresolve|minimize|unminimize|submit|dismiss|request|mark|unmark|close|reopen|lock|unlock|pin|unpin|convert|merge|enable|disable|remove|clear|create|archive|copy)(?:PullRequest|Comment|Issue|Review|ReviewThread|Reaction|Label|Labels|Assignees|Discussion|ProjectV2|ProjectCard|Project|SubIssue|Milestone|AutoMerge|Subject|Reviews|DiscussionComment|Conversation|Lockable|PullRequestReview|Upvote|LinkedBranch|IssueComment)/;

/** Decides on `gh api` and `glab api`; the rest is in the table. */
export const judgeForge: Judge = (command, rule): ReturnType<Judge> => {
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
  const about = path.replace(
    /^\/?(?:api\/v4\/)?(?:projects|groups)\/[^/]{1,200}(?=\/)/,
    "",
  ).replace(/\/(?:contents|git|compare|commits)\/.*$/s, "");
  if (
    OPERATIONS.test(about) && !CONVERSATION.test(about.replace(/\?.*$/s, ""))
  ) {
    return judged(rule, command, writes ? "write" : "read", more);
  }
  if (!writes) return judged(rule, command, "neutral", more);
  if (CONVERSATION.test(about)) {
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

// Clouds' command lines where a table is not enough.

/** AWS's command line; an emulator on this machine is no cloud. */
export const judgeAws: Judge = (command, rule, scene): ReturnType<Judge> => {
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
export const judgeAzure: Judge = (command, rule): ReturnType<Judge> => {
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
export const judgeGoogle: Judge = (command, rule): ReturnType<Judge> => {
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

// Deployment platforms where a table is not enough: SQL given to them.

const SQL_VERB =
  /^(?:d1 execute|pg:psql|db execute|db shell|db query|database query)(?: |$)/;

/** As the table says; SQL on the command line decides for itself. */
export const judgeDeploy: Judge = (command, rule): ReturnType<Judge> => {
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

// Images pushed by container engines.

const REGISTRY_VALUED = new Set(
  words(
    "-H --host -c --context --config -l --log-level -f --file -p --project-name --profile -t --tag --platform --builder --build-arg --target --cache-from --cache-to --label --env-file --set",
  ),
);
const LOCAL =
  /^(?:(?:oci|dir|oci-archive|docker-archive|docker-daemon|containers-storage):|(?:docker:\/\/)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|(?:kind-)?registry(?=:))(?::\d{1,5})?\/)/;

/** `docker push`, `docker buildx build --push`, `docker compose push`. */
export const judgeEnginePush: Judge = (command, rule): ReturnType<Judge> => {
  const found = positionals(command, REGISTRY_VALUED);
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

// Pushing to a remote that deploys.

const REMOTE =
  /^(?:heroku|dokku|piku|gigalixir|scalingo|clever|azure|aws-?eb|production|live|deploy)(?:[-_@:].{0,200})?$|^dokku@|^https:\/\/git\.heroku\.com\//;

/** `git push heroku main`; everything else of git is neutral. */
export const judgePush: Judge = (command, rule): ReturnType<Judge> => {
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
