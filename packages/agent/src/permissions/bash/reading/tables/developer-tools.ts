import type { ProgramSpec } from "../spec.ts";

const TEXT = { operands: ["text"] } as const satisfies ProgramSpec;
const NPM_OPTIONS = `--depth:number -g --global --all -a --json --long -l --parseable -p --prod --production --dev --omit:text --include:text
  --link --package-lock-only --unicode --silent -s`;
const LISTING =
  "--json:text -q:text --jq:text -t:text --template:text -L:number --limit:number -s:text --state:text --author:text --label:text -l:text -S:text --search:text -R:repository --repo:repository -A:text -B:text --base:text --head:text -b:text --branch:text -w! --web!";
const VIEWING =
  "--json:text -q:text --jq:text -t:text --template:text -c --comments -R:repository --repo:repository --log --log-failed -j:text --job:text -v --verbose -w! --web!";
const PODS =
  "-n:text --namespace:text -A --all-namespaces -l:text --selector:text --show-labels --sort-by:text -w --watch --no-headers --field-selector:text -o:text --output:text";

/** Reading a secret of the cluster is reading a credential. */
const isPlainKubectl: ProgramSpec["check"] = (call) =>
  call.operands.every(({ text }) => !/secret/i.test(text)) &&
  /^(|wide|json|yaml|name|(jsonpath|custom-columns|go-template)=.*)$/s.test(call.value("-o", "--output")?.text ?? "");

function listing(view: ProgramSpec, list: ProgramSpec, more: Record<string, ProgramSpec> = {}): ProgramSpec {
  return { subcommands: { view, list, ...more } };
}

const DOCKER: ProgramSpec = {
  subcommands: {
    ps: {
      options:
        "-a -q -n:number -l -s -f:text --all --quiet --filter:text --format:text --no-trunc --last:number --latest --size",
    },
    images: { ...TEXT, options: "-a -q -f:text --all --quiet --filter:text --format:text --no-trunc --digests" },
    logs: { ...TEXT, options: "-f -t -n:text --follow --tail:text --since:text --until:text --timestamps --details" },
    inspect: { ...TEXT, options: "-f:text -s --format:text --size --type:text" },
    version: { options: "-f:text --format:text" },
    info: { options: "-f:text --format:text" },
    stats: { ...TEXT, options: "-a --all --no-stream --format:text --no-trunc" },
    port: TEXT,
    top: TEXT,
    diff: TEXT,
    history: { ...TEXT, options: "-H -q --format:text --human --no-trunc --quiet" },
  },
};

/**
 * Programs that show their version. Not those that look into the project first to decide which program to run: cargo,
 * rustc, yarn, pnpm, mvn, gradle, dotnet, swift, bundle, jest.
 */
const VERSIONS =
  `node npm npx bun deno python python3 pip pip3 uv ruby gem java javac gcc g++ clang clang++ cc make cmake ninja docker
  podman kubectl helm gh tsc biome eslint prettier vitest curl wget tar rg fd bash zsh sh perl php psql sqlite3 mysql
  redis-cli ffmpeg ssh rsync openssl jq yq awk gawk sed find code vim git`.split(/\s+/);
const SHORT_VERSION: Readonly<Record<string, RegExp>> = {
  "-V": /^(python3?|pip3?|ssh|rsync|mysql|psql|gawk|curl|wget|rg|fd|jq)$/,
  "-v": /^(node|npm|ruby|perl|php)$/,
  "-version": /^java$/,
};

export function isVersionCall(program: string, texts: readonly string[]): boolean {
  const [only = ""] = texts;
  if (texts.length !== 1 || !VERSIONS.includes(program)) return false;
  return only === "--version" || only === "--help" || (SHORT_VERSION[only]?.test(program) ?? false);
}

/** Programs of developers: package managers, containers, hosting. */
export const DEVELOPER_TOOLS: Readonly<Record<string, ProgramSpec>> = {
  npm: {
    options: `--version -v ${NPM_OPTIONS}`,
    alone: true,
    subcommands: {
      ls: { ...TEXT, options: NPM_OPTIONS },
      list: { ...TEXT, options: NPM_OPTIONS },
      ll: { ...TEXT, options: NPM_OPTIONS },
      root: { options: "-g --global" },
      prefix: { options: "-g --global" },
      why: { ...TEXT, options: "--json" },
      explain: { ...TEXT, options: "--json" },
      config: {
        subcommands: { get: TEXT, list: { options: "-l --long --json" }, ls: { options: "-l --long --json" } },
      },
      pkg: { subcommands: { get: TEXT } },
      query: TEXT,
    },
  },
  pip: {
    subcommands: {
      list: { options: "--format:text --not-required --user --local -l -v --editable -e" },
      show: { ...TEXT, options: "-f --files -v" },
      freeze: { options: "--all --local -l --user --exclude:text --exclude-editable" },
      check: {},
    },
  },
  go: { raw: (texts) => texts.length === 1 && texts[0] === "version" },
  docker: DOCKER,
  podman: DOCKER,
  kubectl: {
    subcommands: {
      get: { ...TEXT, options: PODS, check: isPlainKubectl },
      describe: { ...TEXT, options: PODS, check: isPlainKubectl },
      logs: {
        ...TEXT,
        options:
          "-n:text --namespace:text -c:text --container:text --tail:text --since:text -f --follow -p --previous --timestamps --all-containers -l:text --selector:text",
      },
      version: { options: "--client -o:text --output:text" },
      explain: { ...TEXT, options: "--recursive" },
      "api-resources": { options: "-o:text --namespaced:text --verbs:text" },
      top: { ...TEXT, options: "-n:text --namespace:text -A --all-namespaces --containers" },
      "cluster-info": {},
    },
  },
  gh: {
    subcommands: {
      pr: listing(
        { ...TEXT, options: VIEWING },
        { options: LISTING },
        {
          status: {},
          checks: { ...TEXT, options: VIEWING },
          diff: { ...TEXT, options: "--name-only --patch --color:text -R:repository --repo:repository -w! --web!" },
        },
      ),
      issue: listing({ ...TEXT, options: VIEWING }, { options: LISTING }, { status: {} }),
      run: listing({ ...TEXT, options: VIEWING }, { options: LISTING }),
      release: listing({ ...TEXT, options: VIEWING }, { options: LISTING }),
      repo: listing({ ...TEXT, options: VIEWING }, { ...TEXT, options: LISTING }),
      workflow: listing({ ...TEXT, options: VIEWING }, { options: LISTING }),
      auth: { subcommands: { status: {} } },
      status: {},
    },
  },
};
