/**
 * PowerShell's cmdlets: their verb says what they do, their noun where.
 *
 * @module
 */
import { type Judge, judged } from "../rule.ts";

const READ_VERB =
  /^(?:get|test|find|search|measure|show|select|wait|watch|resolve|compare|read|export|receive|out|format|debug|trace|confirm)-/;
const LOGIN =
  /^(?:connect|disconnect|select|clear|enable)-az(?:account|context|contextautosave)$|^(?:get|set|save)-azcontext$|^get-azsubscription$|^set-awscredentials?$|^initialize-awsdefault\w{0,20}$|^set-defaultawsregion$/;
const AWS_NOUN =
  /^(?:EC2|S3|IAM|LM|RDS|SSM|SQS|SNS|CFN|ECS|ECR|EKS|R53|SEC|CW|CWL|DDB|ELB2?|ASG?|KMS|STS|CF|CT|EFS|EB|EMR|GLC|ES|ORG|WAF2?|AG2?|GD|CFG|BAK|SFN|SES2?|CGIP|LG|SM|KIN)[A-Z]/;

/** Cmdlets of clouds. */
export const judgeCmdlet: Judge = (command, rule): ReturnType<Judge> => {
  const word = command.argv[0];
  const name = word?.value ?? "";
  const dash = name.indexOf("-");
  if (dash < 2 || dash > 20) return undefined;
  const lower = name.toLowerCase();
  const noun = name.slice(dash + 1);
  const azure = /^Az(?:ure)?[A-Z]/.test(noun) ||
    /^(?:AzureRm|Mg|PnP|EXO)[A-Z]?/.test(noun) || /^az[a-z]/.test(noun);
  const aws = AWS_NOUN.test(noun);
  const gcp = /^(?:Gc[seps]|Gcloud|Gke|Gcd)[A-Z]/.test(noun);
  if (!azure && !aws && !gcp) return undefined;
  const category = azure ? "cloud.azure" : aws ? "cloud.aws" : "cloud.gcp";
  if (LOGIN.test(lower)) {
    return judged(rule, command, "neutral", { tags: ["credcheck"] });
  }
  if (command.argv.some((w) => /^-WhatIf$/i.test(w.value))) {
    return judged(rule, command, "neutral");
  }
  const secret = /KeyVaultSecret|^SECSecret(?:Value)?|SSMParameterValue/.test(
    noun,
  );
  const read = READ_VERB.test(lower);
  return judged(rule, command, read ? "read" : "write", {
    category: secret ? "secret.read" : category,
    ...(secret && read ? { severity: "medium" as const } : {}),
    hints: [azure ? "azure" : aws ? "aws" : "gcp"],
  });
};

/** Cmdlets that reach another machine. */
export const judgeRemoting: Judge = (command, rule): ReturnType<Judge> => {
  const has = (option: RegExp) =>
    command.argv.some((w) => option.test(w.value));
  switch (command.program) {
    case "invoke-command":
    case "icm":
      return has(/^-(?:ComputerName|Session|HostName|VMName)$/i)
        ? judged(rule, command, "write")
        : undefined;
    case "enter-pssession":
    case "new-pssession":
    case "etsn":
      return judged(rule, command, "write");
    case "copy-item":
      if (has(/^-ToSession$/i)) {
        return judged(rule, command, "write", { category: "remote.copy" });
      }
      return has(/^-FromSession$/i)
        ? judged(rule, command, "read", { category: "remote.copy" })
        : undefined;
    case "publish-module":
    case "publish-script":
    case "publish-psresource":
      return has(/^-WhatIf$/i)
        ? judged(rule, command, "neutral")
        : judged(rule, command, "write", { category: "registry.push" });
    case "get-secret":
      return judged(rule, command, "read", {
        category: "secret.read",
        severity: "medium",
      });
    case "set-secret":
    case "remove-secret":
      return judged(rule, command, "write", { category: "secret.read" });
    default:
      return undefined;
  }
};
