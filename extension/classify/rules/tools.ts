/**
 * Tools that are no shell, by name, and MCP servers, by what they reach.
 *
 * @module
 */
import { words } from "../rule.ts";

const groups = new Map<string, string>();
function group(category: string, names: string): void {
  for (const name of words(names)) groups.set(name, category);
}

group(
  "neutral.read",
  "read glob grep ls notebookread view view_image read_file list_dir list_directory grep_files search_files file_search codebase_search read_many_files find_files cat lsp fs_read read_notebook get_errors list_code_usages",
);
group(
  "neutral.edit",
  "write edit multiedit notebookedit apply_patch applypatch str_replace_editor str_replace_based_edit_tool create_file write_file edit_file replace delete_file create insert search_replace patch fs_write undo_edit rename_file",
);
group(
  "neutral.web",
  "webfetch websearch web_search web_fetch web_search_call fetch browser google_web_search browser_action image_generation_call image_gen",
);
group(
  "neutral.agent",
  "task agent todowrite todoread todo_write todo_read taskcreate taskupdate taskget tasklist taskstop taskoutput update_plan exitplanmode enterplanmode exit_plan_mode enter_plan_mode askuserquestion ask_user_question " +
    "request_user_input skill slashcommand spawn_agent wait_agent send_input send_message close_agent list_agents resume_agent wait bashoutput killshell killbash kill_shell write_stdin read_stdout exec_output toolsearch tool_search tool_search_call " +
    "listmcpresourcestool readmcpresourcetool list_mcp_resources list_mcp_resource_templates read_mcp_resource workflow schedulewakeup croncreate crondelete cronlist enterworktree exitworktree monitor sendmessage teamcreate teamdelete teammate " +
    "agentoutputtool structuredoutput structured_output get_goal set_goal create_goal update_goal think sequentialthinking save_memory memory attempt_completion ask_followup_question new_task update_todo_list switch_mode push_notification remotetrigger followup_task request_permissions sleep report_agent_job_result spawn_agents_on_csv",
);
group(
  "neutral.other",
  "bash powershell shell exec exec_command local_shell shell_command js_repl computer",
);

/** Categories of tools by lower-case name. */
export const TOOL_GROUPS: ReadonlyMap<string, string> = groups;

/** What an MCP server reaches. */
export interface McpServers {
  /** Short name; the rule is `tool.mcp.<id>`. */
  id: string;
  /** Words in a server's name. */
  servers: readonly string[];
  /** Category of its calls; `neutral.…` says they are no bypass. */
  category: string;
  /** Tools of it that are conversation, and neutral. */
  talk?: RegExp;
}

/** All kinds of servers; the first that fits wins. */
export const MCP_SERVERS: readonly McpServers[] = [
  {
    id: "aws",
    servers: [
      "aws",
      "amazon",
      "ec2",
      "s3",
      "cloudwatch",
      "lambda",
      "dynamodb",
      "eks",
      "ecs",
      "awslabs",
      "bedrock",
    ],
    category: "cloud.aws",
  },
  {
    id: "gcp",
    servers: ["gcp", "gcloud", "bigquery", "cloudrun"],
    category: "cloud.gcp",
  },
  {
    id: "azure",
    servers: ["azure", "azuredevops", "aks"],
    category: "cloud.azure",
  },
  {
    id: "cloud",
    servers: [
      "digitalocean",
      "hetzner",
      "linode",
      "oci",
      "ibmcloud",
      "scaleway",
      "consul",
      "nomad",
      "proxmox",
      "datadog",
      "grafana",
      "pagerduty",
      "newrelic",
    ],
    category: "cloud.other",
  },
  {
    id: "k8s",
    servers: ["kubernetes", "k8s", "kubectl", "openshift"],
    category: "k8s.kubectl",
  },
  {
    id: "helm",
    servers: ["helm", "argocd", "argo", "flux"],
    category: "k8s.helm",
  },
  {
    id: "terraform",
    servers: ["terraform", "opentofu", "tfe"],
    category: "iac.terraform",
  },
  { id: "pulumi", servers: ["pulumi"], category: "iac.pulumi" },
  { id: "ansible", servers: ["ansible"], category: "iac.ansible" },
  {
    id: "forge",
    servers: ["github", "gitlab", "gitea", "bitbucket"],
    category: "saas.gh",
    talk:
      /pull|issue|review|comment|merge_request|discussion|commit|branch|file_contents|contents|search|label|notification|me$|user|team|tag|repository_tree|get_repo|list_repo|gist|star|project|milestone|fork|diff/,
  },
  {
    id: "deploy",
    servers: [
      "vercel",
      "netlify",
      "cloudflare",
      "wrangler",
      "fly",
      "flyio",
      "heroku",
      "railway",
      "render",
      "firebase",
      "supabase",
      "stripe",
      "neon",
      "planetscale",
      "sentry",
    ],
    category: "saas.deploy",
  },
  {
    id: "db",
    servers: [
      "postgres",
      "postgresql",
      "mysql",
      "mariadb",
      "redis",
      "mongodb",
      "mongo",
      "clickhouse",
      "snowflake",
      "mssql",
      "sql",
      "database",
      "elasticsearch",
      "dbhub",
    ],
    category: "db.client",
  },
  {
    id: "secret",
    servers: [
      "vault",
      "1password",
      "onepassword",
      "bitwarden",
      "doppler",
      "infisical",
    ],
    category: "secret.read",
  },
  { id: "ssh", servers: ["ssh", "sftp"], category: "remote.ssh" },
  {
    id: "browser",
    servers: [
      "playwright",
      "puppeteer",
      "browser",
      "chrome",
      "selenium",
      "browserbase",
    ],
    category: "neutral.web",
  },
  {
    id: "web",
    servers: [
      "fetch",
      "brave",
      "exa",
      "tavily",
      "firecrawl",
      "context7",
      "deepwiki",
      "search",
      "perplexity",
      "duckduckgo",
    ],
    category: "neutral.web",
  },
  {
    id: "files",
    servers: [
      "filesystem",
      "files",
      "serena",
      "ide",
      "jetbrains",
      "vscode",
      "git",
    ],
    category: "neutral.read",
  },
];
