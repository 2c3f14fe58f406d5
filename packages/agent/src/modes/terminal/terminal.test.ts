import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import type { IPty } from "@lydell/node-pty";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const SLOW = 60_000;
const PROGRAM = `const { runTerminal } = await import(${JSON.stringify(new URL("./terminal.ts", import.meta.url).href)});
process.exit(await runTerminal(JSON.parse(process.env.TEST_OPTIONS)));`;

let home: string;
let cwd: string;
let model: ScriptedModel;
let pty: IPty | undefined;
let printed: string;
let ended: number | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-tty-"));
  cwd = join(home, "project");
  for (const folder of [cwd, join(home, "agent")]) mkdirSync(folder);
  model = await startScriptedModel();
  writeFileSync(
    join(home, "agent", "models.yml"),
    `providers:
  scripted:
    baseUrl: ${model.url}/v1
    api: openai-completions
    auth: none
    models:
      - { id: heron, contextWindow: 200000, maxTokens: 8192 }
      - { id: stork, contextWindow: 200000, maxTokens: 8192 }
modelBindings: { modelRoles: { default: scripted/heron } }
`,
  );
});
afterEach(async () => {
  if (ended === undefined) pty?.kill("SIGKILL");
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(greeting = "/help"): Promise<void> {
  const { spawn } = await import("@lydell/node-pty");
  [printed, ended] = ["", undefined];
  const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: join(home, "agent") };
  const options = JSON.stringify({ env, home, cwd, mode: "ask" });
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", PROGRAM];
  pty = spawn(process.execPath, args, { cols: 80, rows: 24, cwd, env: { ...env, TEST_OPTIONS: options } });
  pty.onData((text) => {
    printed += text;
  });
  pty.onExit(({ exitCode }) => {
    ended = exitCode;
  });
  await waitForText(greeting);
}

/** Waits until this was printed since the last time. */
async function waitForText(text: string): Promise<void> {
  await vi.waitFor(() => expect(stripVTControlCharacters(printed)).toContain(text), { timeout: 20_000, interval: 20 });
  printed = "";
}

it(
  "greets, asks before it writes, shows the result, and restores the terminal",
  async () => {
    await start();
    pty!.write("[[write]] please\r");
    await waitForText("y yes · a always");
    expect(existsSync(join(cwd, "hello.txt"))).toBe(false);
    pty!.write("y");
    await waitForText("Done: hello.txt written.");
    expect(readFileSync(join(cwd, "hello.txt"), "utf8")).toBe("hello world\n");
    pty!.write("\x03");
    await waitForText("ctrl+c again to quit");
    pty!.write("\x03");
    await vi.waitFor(() => expect(ended).toBe(0), { timeout: 20_000 });
    expect(printed).toContain("\x1b[?2004l");
  },
  SLOW,
);

it(
  "offers models, earlier prompts, messages and sessions in menus",
  async () => {
    await start();
    pty!.write("[[text]] the first thing\r");
    await waitForText("The answer is 42.");
    pty!.write("/model\r");
    await waitForText("Model or preset (27)");
    pty!.write("stork");
    await waitForText("Model or preset (1)");
    pty!.write("\r");
    await waitForText("Model: scripted/stork");
    pty!.write("\x12first");
    await waitForText("Prompt history (1)");
    pty!.write("\r");
    await waitForText("[[text]] the first thing");
    pty!.write("\x15/tree\r");
    await waitForText("Continue at (2)");
    pty!.write("\x1b");
    await waitForText("stork");
    pty!.write("/new\r");
    await waitForText("Describe the task.");
    pty!.write("/resume\r");
    await waitForText("Resume (1)");
    pty!.write("\r");
    await waitForText("The answer is 42.");
    pty!.write("/export out.html\r");
    await waitForText("out.html");
    expect(existsSync(join(cwd, "out.html"))).toBe(true);
    pty!.write("/nonsense\r");
    await waitForText("There is no /nonsense.");
  },
  SLOW,
);

it(
  "stores a typed key without ever showing it",
  async () => {
    await start();
    pty!.write("/login groq\r");
    await waitForText("API key for groq:");
    pty!.write("gsk-typed-key\r");
    await vi.waitFor(() => expect(stripVTControlCharacters(printed)).toContain("groq: stored as key"), 20_000);
    expect(printed).not.toContain("gsk-typed");
    pty!.write("\x1b[A");
    await waitForText("/login groq");
    pty!.write("\x03/logout\r");
    await waitForText("Remove (1)");
    pty!.write("\r");
    await waitForText("was removed");
  },
  SLOW,
);

it(
  "queues input during a run and stops the run with escape",
  async () => {
    await start();
    pty!.write("[[slow:500:50]] go\r");
    await waitForText("working");
    pty!.write("[[text]] next\r");
    await waitForText("1 queued");
    pty!.write("\x1b");
    await waitForText("Stopped.");
  },
  SLOW,
);

it(
  "lists background jobs with their state, shows the output of one and stops it",
  async () => {
    await start();
    pty!.write("/jobs\r");
    await waitForText("No background job was started.");
    pty!.write("/mode full-auto\r");
    await waitForText("full-auto");
    const isAlive = () => readdirSync("/proc").some((pid) => commandLineOf(pid).includes("nap_of_terminal.txt"));
    pty!.write("[[background:nap_of_terminal.txt]] start it\r");
    await waitForText("It runs in the background.");
    pty!.write("[[backgroundserver]] serve it\r");
    await waitForText("The server runs in the background.");
    await vi.waitFor(() => expect(isAlive()).toBe(true), 20_000);
    pty!.write("/jobs\r");
    await vi.waitFor(
      () => expect(stripVTControlCharacters(printed)).toMatch(/jobs \(2\)[\s\S]*job-2[\s\S]*running for/),
      20_000,
    );
    pty!.write("\r");
    await waitForText("Show its output");
    pty!.write("\r");
    await waitForText("job-2: running for");
    const showServer = () => {
      pty!.write("/jobs 2\r");
      expect(printed).toMatch(/ {2}Local: http:\/\/localhost:\d+/);
    };
    await vi.waitFor(showServer, { timeout: 20_000, interval: 500 });
    pty!.write("/jobs job-1\r");
    await waitForText("no output yet");
    pty!.write("/jobs stop job-1\r");
    await waitForText("job-1 was stopped.");
    expect(isAlive()).toBe(false);
    pty!.write("/jobs 1\r");
    await waitForText("job-1: stopped after");
    pty!.write("/jobs stop job-7\r");
    await waitForText("There is no job job-7.");
  },
  SLOW,
);

/** Empty for a process that has ended. */
function commandLineOf(pid: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "";
  } catch {
    return "";
  }
}

const SERVER = { x: { command: "/bin/sh", args: ["-c", "touch started"], fileTypes: [".txt"], rootMarkers: ["."] } };
const isTrusted = async () => {
  const { openTrustStore } = await import("@gantry/trust");
  return openTrustStore(home).find(cwd) !== undefined;
};

it(
  "asks before it starts in a folder that supplies programs, and remembers that they were trusted",
  async () => {
    writeFileSync(join(cwd, "lsp.json"), JSON.stringify(SERVER));
    await start("supplies programs that the agent would run");
    expect(await isTrusted()).toBe(false);
    pty!.write("\x1b[A");
    await waitForText("› Trust");
    pty!.write("\r");
    await waitForText("is trusted.");
    expect(await isTrusted()).toBe(true);
    await waitForText("/help");
    pty!.kill("SIGKILL");
    await start("/help");
    expect(printed).not.toContain("supplies programs");
    pty!.kill("SIGKILL");
    writeFileSync(join(cwd, "lsp.json"), JSON.stringify({ ...SERVER, y: SERVER.x }));
    await start("supplies programs that the agent would run");
  },
  2 * SLOW,
);

it(
  "asks again after Not now only when the programs change, and after Escape at the next start",
  async () => {
    writeFileSync(join(cwd, "lsp.json"), JSON.stringify(SERVER));
    await start("touch started");
    pty!.write("\x1b");
    await waitForText("Nothing was decided.");
    pty!.kill("SIGKILL");
    await start("› Not now");
    pty!.write("\r");
    await waitForText("Nothing was trusted.");
    expect(await isTrusted()).toBe(false);
    await waitForText("/help");
    pty!.kill("SIGKILL");
    await start("/help");
    expect(existsSync(join(cwd, "started"))).toBe(false);
  },
  2 * SLOW,
);

it(
  "adds a provider with a hidden key, tests it, and shows the memory",
  async () => {
    await start();
    pty!.write(`/provider add mine ${model.url}/v1 openai-completions scripted-model\r`);
    await waitForText("API key for mine");
    pty!.write("sk-typed-by-hand-0123456789\r");
    await vi.waitFor(() => expect(printed).toMatch(/answered after/), { timeout: 20_000, interval: 20 });
    expect(printed).not.toContain("sk-typed-by-hand");
    const file = readFileSync(join(home, "agent", "models.yml"), "utf8");
    expect(file).toContain("MINE_API_KEY");
    expect(file).not.toContain("sk-typed");
    printed = "";
    pty!.write("/provider remove mine\r");
    await waitForText("mine was removed");
    pty!.write("/memory\r");
    await waitForText("Memory is off");
    pty!.write("/memory burn\r");
    await waitForText("There is no /memory burn");
  },
  SLOW,
);
