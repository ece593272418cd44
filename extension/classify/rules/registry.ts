/**
 * Publishing to registries.
 *
 * @module
 */
import { judgeEnginePush } from "../judge/forge.ts";
import type { Rule } from "../rule.ts";

/** Rows of one shape: these verbs publish, everything else is no concern of the rule. */
function publisher(
  programs: string[],
  write: string,
  idle: string,
  examples: Rule["examples"],
  valued = "",
  scan = false,
): Rule {
  return {
    id: `registry.push.${programs[0]?.replace(/^@.*\//, "")}`,
    category: "registry.push",
    title: `Publishing with ${programs.join(", ")}`,
    programs,
    write,
    idle: `--dry-run --help -h -n ${idle}`,
    valued,
    ...(scan ? { scan: true as const } : {}),
    wraps: ["registry", "npm", "docker", "pypi", "crates"],
    examples,
  };
}

/** The rules. */
export const REGISTRY_RULES: readonly Rule[] = [
  {
    id: "registry.push",
    title: "Images pushed to a registry",
    programs: [
      "docker",
      "podman",
      "nerdctl",
      "buildah",
      "finch",
      "docker-compose",
      "buildx",
      "img",
      "depot",
    ],
    judge: judgeEnginePush,
    wraps: ["docker", "registry", "ecr", "gcr", "acr"],
    examples: {
      write: [
        "docker push registry/app:1",
        "docker buildx build --platform linux/amd64 -t r.example/api:1 --push .",
        "docker image push r/app",
        "docker compose push",
        "podman push r/app:1",
        "podman push localhost/app:1 docker://r.example/app:1",
        "docker manifest push r/app:1",
        "docker build -t r/a . && docker push r/a",
        "docker buildx bake --push",
      ],
      neutral: [
        "docker build -t app .",
        "docker push localhost:5000/app",
        "podman push app:1 oci-archive:app.tar",
        "docker login -u x r.example",
        "docker pull alpine",
        "docker compose up -d",
        "docker push --help",
      ],
    },
  },
  {
    id: "registry.push.image",
    category: "registry.push",
    title: "Tools that copy images and artefacts to registries",
    programs: [
      "skopeo",
      "crane",
      "oras",
      "cosign",
      "regctl",
      "buf",
      "kaniko",
      "jib",
    ],
    read:
      "list-tags, ls, digest, manifest, repo ls, discover, catalog, tag ls, registry config",
    write:
      "copy, cp, push, publish, apply, resolve, append, mutate, tag, delete, attach, sign, sync, attest, image copy, rebase, registry commit",
    neutral:
      "inspect, pull, login, logout, version, help, verify, build --local, build --push=false, export, validate, lint, generate, breaking, format, generate-key-pair",
    idle: "--dry-run --local --push=false",
    wraps: ["registry", "docker"],
    examples: {
      write: [
        "skopeo copy docker://a docker://b",
        "crane push x.tar r.example/x:1",
        "oras push r.example/x:1 f",
        "buf push",
      ],
      neutral: [
        "cosign verify r.example/x",
        "buf lint",
      ],
    },
  },
  publisher(
    ["npm", "pnpm", "bun", "cnpm"],
    "publish, unpublish, deprecate, dist-tag add, dist-tag rm, token create, token revoke, owner add, owner rm, access set, access grant, stage publish, pkg --help",
    "",
    {
      write: [
        "npm publish --access public",
        "pnpm publish -r --no-git-checks",
        "npm dist-tag add x@1 latest",
        "bun publish",
        "pnpm -r publish",
        "npm unpublish x@1",
      ],
      neutral: [
        "npm publish --dry-run",
        "npm pack",
        "npm run build",
        "npm run publish:check",
        "npm view x",
        "npm whoami",
        "npm ci",
      ],
    },
    "--prefix -C --dir --filter -F --registry --tag -w --workspace --otp",
  ),
  publisher(
    ["yarn"],
    "publish, npm publish, workspaces foreach npm publish, npm tag add",
    "",
    {
      write: ["yarn npm publish", "yarn publish --new-version 1.0.0"],
      neutral: ["yarn install", "yarn test"],
    },
    "--cwd",
  ),
  publisher(
    ["lerna", "nx", "rush"],
    "publish, release, release publish",
    "--dryRun -d",
    {
      write: ["npx lerna publish from-package --yes", "nx release publish"],
      neutral: ["lerna run build", "nx release --dry-run", "nx build app"],
    },
  ),
  publisher(["changeset", "@changesets/cli"], "publish, tag", "", {
    write: ["npx changeset publish"],
    neutral: ["npx changeset version", "npx changeset"],
  }),
  {
    id: "registry.push.release",
    category: "registry.push",
    title: "Release tools that publish by themselves",
    programs: [
      "semantic-release",
      "release-it",
      "np",
      "goreleaser",
      "standard-release",
      "auto",
      "cargo-release",
      "cargo-workspaces",
    ],
    neutral:
      "check, healthcheck, init, build, completion, jsonschema, version, help, --snapshot",
    other: "write",
    bare: "write",
    idle:
      "-h -d --dry-run --snapshot --preview --ci=false --skip=publish --no-publish",
    wraps: ["registry"],
    examples: {
      write: [
        "npx semantic-release",
        "goreleaser release --clean",
        "npx release-it --ci",
      ],
      neutral: [
        "goreleaser check",
        "goreleaser release --snapshot --clean",
        "npx semantic-release --dry-run",
      ],
    },
  },
  publisher(
    ["cargo"],
    "publish, yank, owner, workspaces publish, release",
    "--list",
    {
      write: ["cargo publish -p x", "cargo yank --version 1.0.0 x"],
      neutral: [
        "cargo build",
        "cargo publish --dry-run",
        "cargo test",
        "cargo package",
      ],
    },
    "--manifest-path -C --config --color",
  ),
  publisher(
    [
      "twine",
      "poetry",
      "uv",
      "flit",
      "hatch",
      "pdm",
      "maturin",
      "pip",
      "setup.py",
      "anaconda",
      "conda",
    ],
    "upload, publish, register",
    "",
    {
      write: [
        "python3 -m twine upload dist/*",
        "poetry publish --build",
        "uv publish",
        "maturin upload w.whl",
      ],
      neutral: [
        "twine check dist/*",
        "poetry build",
        "uv sync",
        "pip install x",
      ],
    },
    "--directory --project -C",
  ),
  publisher(["gem", "bundle", "rake"], "push, yank, release, owner", "", {
    write: ["gem push x-1.gem", "bundle exec rake release"],
    neutral: ["gem build x.gemspec", "bundle install"],
  }),
  publisher(
    ["mvn", "mvnw", "gradle", "gradlew", "sbt"],
    "deploy, release:perform, deploy:deploy-file, publish, publishSigned, sonatypeRelease, nexus-staging:release, *:publish, publishToMavenCentral, publishAllPublicationsTo*, publishPlugins, *:publishPlugins, closeAndReleaseRepository, bintrayUpload, artifactoryPublish",
    "-Dmaven.deploy.skip=true",
    {
      write: [
        "mvn deploy",
        "./gradlew publish",
        "mvn -B clean deploy -DskipTests",
        "gradle :lib:publish",
      ],
      neutral: ["mvn package", "./gradlew build", "gradle publishToMavenLocal"],
    },
    "-f --file -P -pl -s",
    true,
  ),
  publisher(
    ["dotnet", "nuget", "choco", "winget"],
    "nuget push, push, nuget delete, submit, nuget trust",
    "",
    {
      write: [
        "dotnet nuget push x.nupkg -k $K",
        "nuget.exe push x.nupkg",
        "choco push x.nupkg",
      ],
      neutral: [
        "dotnet build",
        "dotnet publish -c Release",
        "choco install x",
        "dotnet pack",
      ],
    },
  ),
  publisher(
    ["ko"],
    "build, publish, apply, resolve, create, run",
    "--local -L --push=false",
    { write: ["ko build ./cmd/x"], neutral: ["ko build --local ./cmd/x"] },
  ),
  publisher(["helm"], "push, cm-push", "", {
    write: ["helm push web-1.tgz oci://r.example/charts"],
  }),
  publisher(["deno", "jsr"], "publish", "", {
    write: ["deno publish", "npx jsr publish"],
    neutral: ["deno publish --dry-run", "deno test", "deno fmt"],
  }),
  publisher(
    [
      "mix",
      "dart",
      "flutter",
      "pub",
      "cabal",
      "stack",
      "luarocks",
      "conan",
      "composer",
      "rebar3",
      "elm",
      "opam",
    ],
    "hex.publish, pub publish, publish, upload, hex publish, pub lish, --upload",
    "",
    {
      write: [
        "mix hex.publish --yes",
        "dart pub publish --force",
        "conan upload x -r r --confirm",
      ],
      neutral: ["mix test", "dart pub get", "composer install"],
    },
  ),
  publisher(
    [
      "vsce",
      "@vscode/vsce",
      "ovsx",
      "web-ext",
      "snapcraft",
      "pod",
      "pecl",
      "swift",
      "wasm-pack",
      "wasmer",
      "clawhub",
      "bower",
      "xcrun",
    ],
    "publish, sign, upload, push, trunk push, package-registry publish, unpublish, altool, notarytool submit, release",
    "",
    {
      write: [
        "npx vsce publish",
        "pod trunk push X.podspec",
        "wasm-pack publish",
      ],
      neutral: ["vsce package", "pod install", "swift build"],
    },
  ),
];
