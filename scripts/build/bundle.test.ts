import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../steps.ts";

const run = promisify(execFile);
const folder = join(root, "dist/gantry");
const home = mkdtempSync(join(tmpdir(), "gantry-bundle-"));
const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home };
afterAll(() => rmSync(home, { recursive: true, force: true }));

let printed = "";
beforeAll(async () => {
  const { stdout, stderr } = await run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    join(root, "scripts/build/bundle.ts"),
  ]);
  printed = stdout + stderr;
}, 120_000);

/** `wide`: chunks that V8 stores with two bytes a character. `unbundled`: files of packages. */
type Loaded = {
  chunks: number;
  modules: string[];
  unbundled: string[];
  builtins: string[];
  bytes: number;
  wide: string[];
};
type StopAt = "listen" | "ready" | "connect" | "answer" | "end";
type Probe = { args: string[]; stopAt: StopAt; variables?: object; input?: string };

/** What the bundle has loaded when it first listens, is ready, connects, answers or ends: our modules, Node's modules, bytes of code. */
async function loadedBy({ args, stopAt, variables, input = "" }: Probe): Promise<Loaded> {
  const probe = ["--require", join(import.meta.dirname, "load-probe.cjs"), join(folder, "main.js")];
  const running = run(process.execPath, [...probe, ...args], {
    env: { ...env, ...variables, PROBE_STOP_AT: stopAt },
    cwd: home,
  });
  running.child.stdin?.write(input);
  const { stderr } = await running;
  const line = stderr.trim().split("\n").at(-1) ?? "";
  const { files, builtins } = JSON.parse(line) as { files: string[]; builtins: string[] };
  const chunks = files.filter((name) => existsSync(join(folder, name)));
  const texts = new Map(chunks.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const wide = chunks.filter((name) => /[^\x00-\xff]/.test(texts.get(name) ?? ""));
  const text = [...texts.values()].join("\n");
  const modules = [...text.matchAll(/^\/\/ ((?:packages|node_modules)\/\S+)$/gm)].map(([, path = ""]) => path);
  const unbundled = files.filter((name) => !chunks.includes(name));
  return { chunks: chunks.length, modules, unbundled, builtins, bytes: text.length, wide };
}

const within = ({ modules }: Loaded, folders: RegExp) => modules.filter((path) => folders.test(path));
/** The terminal toolkit and what only transcripts need. */
const TOOLKIT = /pi-tui|highlight\.js|marked|node_modules\/diff\/|terminal\/src\/(toolkit|transcript)/;
const FETCH = "internal/deps/undici/undici";

it("never imports a module both lazily and at once, which would load it with the start", () => {
  expect(printed).not.toContain("INEFFECTIVE_DYNAMIC_IMPORT");
});

it("bundles the command line, and the bundle runs", async () => {
  expect(existsSync(join(folder, "page.html"))).toBe(true);
  const { stdout } = await run(process.execPath, [join(folder, "main.js"), "agents", "--help"], { env });
  expect(stdout).toContain("gantry agents");
});

it("stores the compiled code of the chunks of the daemon, a command and the agent, and V8 accepts all of it", async () => {
  const stored = readdirSync(folder).filter((name) => name.endsWith(".js.cache"));
  for (const start of ["cli", "daemon", "client", "shared", "models", "agent"])
    expect(stored.filter((name) => name.startsWith(`${start}-`))).toHaveLength(1);
  const { stdout } = await run(process.execPath, ["--eval", LIST_REFUSED, folder]);
  expect(JSON.parse(stdout)).toEqual([]);
});

it.each([
  { start: "a command", args: ["ls", "--help"] },
  { start: "the daemon", args: ["serve", "--json"], stopAt: "ready" },
  { start: "the agent", args: ["agent", "--mode", "rpc"], input: '{"id":"1","type":"get_state"}\n' },
])("starts $start with stored code only", async ({ args, stopAt, input }) => {
  const program = ["--eval", COUNT_REFUSED, join(folder, "main.js"), ...args];
  const running = run(process.execPath, program, { env: { ...env, STOP_AT: stopAt } });
  running.child.stdin?.end(input);
  const counts = JSON.parse((await running).stderr.trim().split("\n").at(-1) ?? "") as Record<string, number>;
  expect(counts.accepted).toBeGreaterThan(1);
  expect(counts.refused).toBe(0);
});

/** The files of compiled code that V8 does not accept in a process with the default flags. */
const LIST_REFUSED = `
  const { constants, Script } = require("node:vm");
  const { readdirSync, readFileSync } = require("node:fs");
  const folder = process.argv[1];
  const refused = readdirSync(folder).filter((name) => name.endsWith(".js.cache")).filter((name) => {
    const file = folder + "/" + name.slice(0, -".cache".length);
    const text = "(function (exports, require, module, __filename, __dirname) { " + readFileSync(file, "utf8") + "\\n})";
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const cachedData = readFileSync(folder + "/" + name);
    return new Script(text, { filename: file, cachedData, importModuleDynamically }).cachedDataRejected;
  });
  console.log(JSON.stringify(refused));
`;

/** Runs the bundle with a counter of the compiled code that V8 accepts, to its end or until the daemon is ready. */
const COUNT_REFUSED = `
  const vm = require("node:vm");
  const { Script } = vm;
  const counts = { accepted: 0, refused: 0 };
  vm.Script = class extends Script {
    constructor(...args) {
      super(...args);
      counts[this.cachedDataRejected === false ? "accepted" : "refused"]++;
    }
  };
  process.on("exit", () => process.stderr.write("\\n" + JSON.stringify(counts)));
  const { write } = process.stdout;
  process.stdout.write = function (text, ...rest) {
    if (process.env.STOP_AT === "ready" && String(text).includes('"ready":true')) setImmediate(() => process.kill(process.pid, "SIGTERM"));
    return write.call(this, text, ...rest);
  };
  require(process.argv[1]);
`;

it("answers health checks of the daemon before it loads schemas, agents and features", async () => {
  const loaded = await loadedBy({ args: ["serve", "--json"], stopAt: "listen" });
  expect(loaded.modules).toContain("packages/runtime/src/server/http.ts");
  expect(
    within(
      loaded,
      /zod|packages\/models\/src\/(?!stream-redaction)|runtime\/src\/(assembly|agents|session|features)\//,
    ),
  ).toEqual([]);
  expect(loaded.wide).toEqual([]);
  expect(loaded.chunks).toBeLessThanOrEqual(4);
  expect(loaded.bytes).toBeLessThan(270_000);
  const avoided = [FETCH, "child_process", "crypto", "internal/fs/promises", "perf_hooks", "readline", "zlib"];
  expect(loaded.builtins.filter((name) => avoided.includes(name))).toEqual([]);
});

it("starts the rest of the daemon without the agent, the registry of models and YAML", async () => {
  const loaded = await loadedBy({ args: ["serve", "--json"], stopAt: "ready" });
  expect(loaded.modules).toContain("packages/runtime/src/assembly/open-app.ts");
  expect(within(loaded, /packages\/agent\/|models\/src\/registry\/|node_modules\/yaml\//)).toEqual([]);
});

it("lists sessions with one command definition, without schemas and without fetch", async () => {
  const variables = { GANTRY_URL: "http://127.0.0.1:9", GANTRY_TOKEN: "none" };
  const loaded = await loadedBy({ args: ["ls"], stopAt: "connect", variables });
  expect(within(loaded, /commands\.ts$/)).toEqual(["packages/cli/src/commands/sessions/commands.ts"]);
  expect(within(loaded, /zod|packages\/(runtime|agent)\/|packages\/models\/src\/(?!stream-redaction)/)).toEqual([]);
  expect(within(loaded, TOOLKIT)).toEqual([]);
  expect(loaded.wide).toEqual([]);
  expect(loaded.chunks).toBeLessThanOrEqual(5);
  expect(loaded.bytes).toBeLessThan(220_000);
  const avoided = [FETCH, "child_process", "readline", "sqlite", "crypto", "internal/fs/streams"];
  expect(loaded.builtins.filter((name) => avoided.includes(name))).toEqual([]);
});

it("prints the version with the definitions of one group of commands", async () => {
  const loaded = await loadedBy({ args: ["--version"], stopAt: "end" });
  expect(within(loaded, /commands\.ts$/)).toEqual(["packages/cli/src/commands/sessions/commands.ts"]);
});

it("prints sessions in every state from the bundle alone", async () => {
  const at = new Date().toISOString();
  const turn = { id: "trn_1", startedAt: at };
  const states = [
    { state: "waiting", turn, inputs: [{ kind: "approval" }, { kind: "plan" }] },
    { state: "running", turn },
    { state: "running", turn, stalled: { since: at, reason: "no output" } },
    { state: "limited", limit: { provider: "p", since: at, nextTryAt: at, autoResume: true } },
    { state: "idle" },
    ...["failed", "interrupted", "completed"].map((outcome) => ({ state: "idle", lastTurn: { outcome, endedAt: at } })),
    { state: "ended" },
  ];
  const common = { agent: "own", title: "Größe der 世界 – «ёлка» 🚀", cwd: "/tmp", inputs: [], queue: [], tasks: [] };
  const sessions = states.map((state, index) => ({
    ...common,
    id: `ses_${index}`,
    createdAt: at,
    updatedAt: at,
    ...state,
  }));
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ sessions }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const variables = { GANTRY_URL: `http://127.0.0.1:${port}`, GANTRY_TOKEN: "none" };
  const loaded = await loadedBy({ args: ["ls", "--all"], stopAt: "end", variables });
  server.close();
  expect(loaded.unbundled).toEqual([]);
});

it("answers get_state of the agent without the terminal, exports, extensions, language servers and discovery", async () => {
  const input = '{"id":"1","type":"get_state"}\n';
  const models = "models: [{ id: m, contextWindow: 1000, maxTokens: 100 }]";
  const provider = `{ baseUrl: "http://127.0.0.1:9/v1", api: openai-completions, auth: none, ${models} }`;
  mkdirSync(join(home, "agent"), { recursive: true });
  writeFileSync(join(home, "agent/models.yml"), `providers:\n  none: ${provider}\n`);
  const args = ["agent", "--mode", "rpc", "--no-session", "--model", "none/m"];
  const loaded = await loadedBy({ args, stopAt: "answer", input });
  expect(loaded.modules).toContain("packages/agent/src/rpc/serve.ts");
  const avoided =
    /marked|pi-tui|highlight\.js|terminal\/src\/toolkit|jsonrpc|modes\/terminal|export\/html|discovery\/discover|turndown|packages\/runtime\/|agent\/src\/extensions\/(?!discovery\/places)/;
  expect(within(loaded, avoided)).toEqual([]);
  expect(loaded.wide).toEqual([]);
  expect(loaded.chunks).toBeLessThanOrEqual(8);
  expect(loaded.bytes).toBeLessThan(1_700_000);
  expect(loaded.builtins).not.toContain(FETCH);
});
