// Applies swamp's push rules to every file that the manifest reaches, so that
// publishing stays possible. Facts of the rules, own wording.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DENO = join(ROOT, "node_modules/.bin/deno");
const LIMITS = { files: 150, file: 1e6, all: 1e7, lines: 500, line: 500 };
const NAMES =
  /\.(?:ts|json|md|yaml|yml|txt)$|(?:^|\/)(?:LICENSE|NOTICE|COPYING)$/;
// A field that looks like a secret and is not marked as one.
const SECRET =
  /password|passwd|secret|token|api[_-]?key|access[_-]?key|credential|private[_-]?key/i;
// Loopback, unspecified, link-local and the documentation ranges may stand.
const HARMLESS =
  /^(?:127\.|0\.0\.0\.0$|169\.254\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)/;

/** Files that the manifest reaches, relative to the root. */
export function published() {
  const manifest = parse(readFileSync(join(ROOT, "manifest.yaml"), "utf8"));
  const models = manifest.models ?? [];
  const files = new Set(["manifest.yaml", ...(manifest.additionalFiles ?? [])]);
  for (const skill of manifest.skills ?? []) {
    files.add(`.claude/skills/${skill}/SKILL.md`);
  }
  for (const kind of ["workflows", "include"]) {
    for (const file of manifest[kind] ?? []) files.add(file);
  }
  const bare = [];
  for (const model of models) {
    if (!existsSync(join(ROOT, model))) {
      throw new Error(`manifest.yaml names ${model}, which does not exist`);
    }
    const graph = JSON.parse(
      execFileSync(DENO, ["info", "--json", "--no-lock", model], {
        cwd: ROOT,
        encoding: "utf8",
        maxBuffer: 1 << 28,
        shell: process.platform === "win32",
      }),
    );
    for (const module of graph.modules) {
      if (module.local && module.specifier.startsWith("file:")) {
        const file = relative(ROOT, fileURLToPath(module.specifier));
        if (!file.startsWith("node_modules")) {
          files.add(file.split(sep).join("/"));
        }
      }
      for (const { specifier } of module.dependencies ?? []) {
        if (!/^(?:\.|npm:|node:|jsr:|file:)/.test(specifier)) {
          bare.push(`${module.specifier}: bare import ${specifier}`);
        }
      }
    }
  }
  return { files: [...files].sort(), bare, manifest };
}

function checkCode(file, text, errors, warnings) {
  if (text.includes("eval" + "(") || text.includes("new " + "Function(")) {
    errors.push(`${file}: holds a call that builds code from text`);
  }
  if (/\bimport\s*\(/.test(text)) errors.push(`${file}: imports dynamically`);
  if (/\bDeno\.Command\s*\(/.test(text)) {
    warnings.push(`${file}: starts a program through Deno`);
  }
  const lines = text.split("\n");
  const filled = lines.filter((l) => l.trim() !== "").length;
  if (filled > LIMITS.lines) warnings.push(`${file}: ${filled} lines`);
  if (lines.some((l) => l.replace(/\s/g, "").length > LIMITS.line)) {
    warnings.push(`${file}: a line of more than ${LIMITS.line} characters`);
  }
  if (/[A-Za-z0-9+/=]{100,}/.test(text)) {
    warnings.push(`${file}: something that looks like base64`);
  }
  for (const [i, line] of lines.entries()) {
    const code = line.replace(/\/\/.*/, "");
    if (
      SECRET.test(code) && /z\s*\./.test(code) &&
      !/z\s*\.\s*(?:number|boolean|literal|object|array|enum)\s*\(/.test(code)
    ) warnings.push(`${file}:${i + 1}: a field that looks like a secret`);
    if (/z\.object\(\{\}\)\.passthrough\(/.test(code)) {
      warnings.push(`${file}:${i + 1}: a schema that says nothing`);
    }
  }
}

function main() {
  const { files, bare, manifest } = published();
  const errors = [...bare], warnings = [];
  for (
    const key of [
      "manifestVersion",
      "name",
      "version",
      "description",
      "repository",
      "releaseNotes",
      "platforms",
      "labels",
      "models",
      "additionalFiles",
    ]
  ) if (manifest[key] === undefined) errors.push(`manifest.yaml lacks ${key}`);
  if (!/^@[a-z0-9-]+\/[a-z0-9-]+$/.test(manifest.name)) {
    errors.push(`manifest.yaml: name ${manifest.name}`);
  }
  if (!/^\d{4}\.\d{2}\.\d{2}\.\d+$/.test(manifest.version)) {
    errors.push(`manifest.yaml: version ${manifest.version} is no CalVer`);
  }
  if (files.length > LIMITS.files) {
    errors.push(`${files.length} files; at most ${LIMITS.files}`);
  }
  let bytes = 0;
  for (const file of files) {
    const path = join(ROOT, file);
    if (!existsSync(path)) {
      errors.push(`${file}: does not exist`);
      continue;
    }
    const stat = lstatSync(path);
    bytes += stat.size;
    if (stat.isSymbolicLink()) errors.push(`${file}: is a symbolic link`);
    if (stat.size > LIMITS.file) errors.push(`${file}: over 1 MB`);
    const skill = file.startsWith(".claude/skills/");
    if (!skill && /(?:^|\/)\./.test(file)) errors.push(`${file}: is hidden`);
    if (!NAMES.test(file)) errors.push(`${file}: of a kind not allowed`);
    const text = readFileSync(path, "utf8");
    if (file.endsWith(".ts")) checkCode(file, text, errors, warnings);
    else if (/\.(?:md|txt)$/.test(file)) {
      const address = text.match(/(?<![.\w])(?:\d{1,3}\.){3}\d{1,3}(?![.\w])/g)
        ?.find((a) => !HARMLESS.test(a));
      if (address) warnings.push(`${file}: a real address ${address}`);
    }
  }
  for (const model of manifest.models) {
    if (!existsSync(join(ROOT, model.replace(/\.ts$/, "_test.ts")))) {
      warnings.push(`${model}: no test beside it`);
    }
  }
  for (const skill of manifest.skills ?? []) {
    const file = `.claude/skills/${skill}/SKILL.md`;
    const front = existsSync(join(ROOT, file))
      ? parse(readFileSync(join(ROOT, file), "utf8").split(/^---$/m)[1] ?? "")
      : {};
    if (front?.name !== skill || !front?.description) {
      errors.push(`${file}: lacks its name or description`);
    }
  }
  for (const file of manifest.workflows ?? []) {
    const { name } = parse(readFileSync(join(ROOT, file), "utf8"));
    if (!name?.startsWith(`${manifest.name}/`)) {
      errors.push(`${file}: its name is not below ${manifest.name}`);
    }
  }
  if (bytes > LIMITS.all) errors.push(`${bytes} bytes in all; at most 10 MB`);
  const ts = files.filter((f) => f.endsWith(".ts"));
  const deno = (what, args, only) => {
    try {
      execFileSync(DENO, args, {
        cwd: ROOT,
        encoding: "utf8",
        stdio: "pipe",
        maxBuffer: 1 << 28,
        env: { ...process.env, NO_COLOR: "1" },
        shell: process.platform === "win32",
      });
    } catch (error) {
      const output = `${error.stdout ?? ""}${error.stderr ?? ""}`;
      const kept = only
        ? output.split(/\n\n(?=error)/).filter((part) =>
          only.test(part) && !/-->.*[\\/]node_modules[\\/]/.test(part)
        )
        : [output];
      if (kept.length) {
        errors.push(`${what}:\n${kept.join("\n").slice(0, 6000)}`);
      }
    }
  };
  // No configuration of ours: what swamp's own check sees.
  deno("deno fmt", ["fmt", "--check", "--quiet", "--no-config", ...ts]);
  deno("deno lint", [
    "lint",
    "--quiet",
    "--no-config",
    "--rules-exclude=no-import-prefix,no-unversioned-import",
    ...ts,
  ]);
  // Explicit types and a comment on every export. That a type of zod's is not
  // exported from here is no fault.
  deno(
    "deno doc --lint",
    ["doc", "--lint", "--quiet", ...ts],
    /error\[missing-/,
  );
  for (const warning of warnings) console.warn(`warning: ${warning}`);
  for (const error of errors) console.error(`error: ${error}`);
  console.log(
    `publish: ${files.length} files, ${(bytes / 1024).toFixed(0)} KB, ` +
      `${errors.length} errors, ${warnings.length} warnings`,
  );
  process.exit(errors.length ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
