/**
 * Other machines: shells on them, and copies to and from them.
 *
 * @module
 */
import { hasOption, type Judge, judged, positionals, words } from "../rule.ts";
import { isLocalHost } from "./hosts.ts";

const SSH_VALUED = new Set(
  words(
    "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w -B -d -n -h",
  ),
);
const FORGE =
  /(?:^|@)(?:git@)?(?:[\w.-]{0,60}\.)?(?:github|gitlab|bitbucket|codeberg|gitea|sr|ssh\.dev\.azure|hf)\.(?:com|org|ht|co)$/i;

function hostOf(value: string): string {
  const bare = value.replace(/^ssh:\/\//, "").replace(/^[^@/]{0,100}@/, "");
  return bare.replace(/:\d{1,5}$/, "").toLowerCase();
}

/** `ssh HOST …`: what runs there is folded in by the caller. */
export const judgeSsh: Judge = (command, rule) => {
  if (
    hasOption(command, "-V") || hasOption(command, "-Q") ||
    hasOption(command, "--help") || hasOption(command, "--version") ||
    hasOption(command, "-G")
  ) return judged(rule, command, "neutral");
  const host = positionals(command, SSH_VALUED)[0];
  if (!host) return judged(rule, command, "neutral");
  const name = hostOf(host.value);
  if (/^git@/.test(host.value) || FORGE.test(name)) {
    return judged(rule, command, "neutral", {
      word: host,
      category: "neutral.vcs",
      tags: ["credcheck"],
    });
  }
  if (isLocalHost(name)) {
    return judged(rule, command, "neutral", { word: host, mutating: true });
  }
  // A connection that runs nothing: a tunnel, or closing one.
  const tunnel = hasOption(command, "-N") || hasOption(command, "-O");
  return judged(rule, command, tunnel ? "read" : "write", {
    start: command.argv[0]?.start ?? command.start,
    end: Math.max(host.end, Math.min(command.end, host.end + 400)),
  });
};

const COPY_VALUED = new Set(
  words(
    "-c -D -F -i -J -l -o -P -S -X -e --rsh --exclude --include --exclude-from --include-from --files-from --bwlimit --port --password-file --log-file --partial-dir --backup-dir --rsync-path --timeout -f --filter -B -p --chmod --chown --config --transfers --checkers --max-age --min-age",
  ),
);
const REMOTE_PATH =
  /^(?:(?:scp|rsync|sftp|ftp|ftps|ssh):\/\/|(?:[\w.~-]{0,80}@)?(?:\[[0-9a-f:]{2,45}\]|[\w.-]{1,255}|‹›|[^/\\:\s]{0,80}‹›[^/\\:\s]{0,80}):(?!\\))/i;

/** `scp`, `rsync`, `sftp`, `rclone`: from a host is a read. */
export const judgeCopy: Judge = (command, rule) => {
  const argv = command.argv;
  if (
    argv.some((w, i) =>
      i === 1 && /^(?:--help|--version|-V|version|help)$/.test(w.value)
    )
  ) {
    return judged(rule, command, "neutral");
  }
  const found = positionals(command, COPY_VALUED);
  if (command.program === "rclone") {
    const verb = found[0]?.value ?? "";
    const at = found[0] ? { word: found[0] } : {};
    if (
      /^(?:config|version|help|completion|listremotes|obscure|genautocomplete|selfupdate)$/
        .test(verb) || verb === ""
    ) {
      return judged(rule, command, "neutral", at);
    }
    const places = found.slice(1);
    if (!places.some((w) => REMOTE_PATH.test(w.value))) {
      return judged(rule, command, "neutral", { ...at, mutating: true });
    }
    if (hasOption(command, "--dry-run") || hasOption(command, "-n")) {
      return judged(rule, command, "neutral", at);
    }
    if (
      /^(?:ls\w{0,4}|size|cat|check|tree|about|md5sum|sha1sum|hashsum|ncdu|mount|serve|link)$/
        .test(verb)
    ) {
      return judged(rule, command, "read", at);
    }
    const last = places[places.length - 1];
    const away = last && !REMOTE_PATH.test(last.value) &&
      /^copy|^sync/.test(verb);
    return judged(rule, command, away ? "read" : "write", at);
  }
  if (
    hasOption(command, "--dry-run") ||
    (command.program === "rsync" &&
      argv.some((w) => /^-[a-zA-Z]{0,12}n[a-zA-Z]{0,12}$/.test(w.value)))
  ) {
    return judged(rule, command, "neutral");
  }
  if (
    command.program === "sftp" || command.program === "lftp" ||
    command.program === "ftp"
  ) {
    const host = found[0];
    if (!host) return judged(rule, command, "neutral");
    const text = [
      ...argv.slice(1),
      ...command.redirects.flatMap((r) => r.body ? [r.body] : []),
    ].map((w) => w.value).join("\n");
    const puts =
      /\b(?:m?put|rm|rmdir|mkdir|rename|chmod|mirror\s+-\w{0,10}R|delete|mdelete)\b/
        .test(text);
    const gets = /\b(?:m?get|ls|dir|pwd|mirror)\b/.test(text) ||
      REMOTE_PATH.test(host.value) && found.length > 1;
    return judged(rule, command, gets && !puts ? "read" : "write", {
      word: host,
    });
  }
  const places = found.filter((w) =>
    REMOTE_PATH.test(w.value) && !/^[a-z]:[\\/]/i.test(w.value)
  );
  const first = places[0];
  if (!first) {
    return judged(rule, command, "neutral", {
      mutating: true,
      category: "neutral.edit",
    });
  }
  if (places.every((w) => isLocalHost(hostOf(w.value.replace(/:.*$/s, ""))))) {
    return judged(rule, command, "neutral", {
      mutating: true,
      category: "neutral.edit",
    });
  }
  const last = found[found.length - 1];
  const up = last ? places.includes(last) : true;
  return judged(rule, command, up ? "write" : "read", { word: first });
};
