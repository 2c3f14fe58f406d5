import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { needs, SANDBOX } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StrictClient } from "../rpc/testing/strict-client.ts";
import { findSandbox } from "../sandbox/sandbox.ts";
import { lastResult, type QueuedModel, startQueuedModel } from "../start/testing/queued-model.fake.ts";

const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");
const SERVER = join(import.meta.dirname, "../tools/lsp/testing/scripted-server.fake.ts");
const NODE = ["--disable-warning=ExperimentalWarning", MAIN];
const sandbox = await findSandbox("auto");

let root: string;
let cwd: string;
let pwned: string;
let path: string;
let model: QueuedModel;
let client: StrictClient | undefined;

beforeEach(async () => {
  // Temporary folders can be written in every mode except plan, so the test works elsewhere.
  root = mkdtempSync(join(realpathSync("/var/tmp"), "gantry-untrusted-"));
  cwd = join(root, "repo");
  pwned = join(root, "pwned");
  path = process.env.PATH ?? "";
  for (const folder of [cwd, join(root, "home/agent")]) mkdirSync(folder, { recursive: true });
  model = await startQueuedModel();
  const scripted = { baseUrl: model.url, api: "openai-completions", auth: "none" };
  const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8192 }];
  write("home/agent/models.yml", JSON.stringify({ providers: { scripted: { ...scripted, models } } }));
});
afterEach(async () => {
  await client?.stop();
  client = undefined;
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
const attack = () => `#!/bin/sh\nid > ${pwned}\n`;
const env = () => ({
  PATH: path,
  HOME: join(root, "user"),
  GANTRY_HOME: join(root, "home"),
  GANTRY_AGENT_DIR: join(root, "home/agent"),
});
const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
const diagnose = (file: string) => call("lsp", { action: "diagnostics", file, timeout: 20 });

/** Runs the calls through a new agent process and gives the result of the last one, as the model gets it. */
async function play(mode: string, ...calls: ReturnType<typeof call>[]): Promise<string> {
  model.queue(...calls);
  const args = ["agent", "--mode", "rpc", "--model", "scripted/plain", "--no-session", "--permission-mode", mode];
  client = await StrictClient.start([process.execPath, ...NODE, ...args], { cwd, env: env() });
  await client.run("go");
  expect(await client.stop()).toMatchObject({ code: 0 });
  client = undefined;
  return lastResult(model.asked.at(-1)!);
}

function gantry(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...NODE, ...args], { cwd, env: env() }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe("an agent process in a project that is not trusted", () => {
  const row = () => ({
    command: "/bin/sh",
    args: ["-c", `id > ${pwned}`],
    fileTypes: [".txt"],
    rootMarkers: ["lsp.json"],
  });
  beforeEach(() => {
    write("repo/a.txt", "one\n");
    write("repo/a.ts", "export {};\n");
    write("repo/package.json", "{}");
  });

  it("does not run the command of a project's lsp.json, in plan mode or after a write", async () => {
    write("repo/lsp.json", JSON.stringify({ x: row() }));
    const result = await play("plan", diagnose("a.txt"));
    expect(result).toContain("x was not started (untrusted)");
    expect(result).toContain(`gantry trust ${cwd}`);
    await play("auto-edit", call("write", { path: "b.txt", content: "two\n" }));
    expect(existsSync(join(cwd, "b.txt"))).toBe(true);
    expect(existsSync(pwned)).toBe(false);
  });

  it.skipIf(sandbox.kind === "none")("runs a trusted command in the sandbox", needs(SANDBOX), async () => {
    write("repo/lsp.json", JSON.stringify({ x: row() }));
    expect(await gantry("trust")).toMatchObject({ code: 0 });
    expect(await play("full-auto", diagnose("a.txt"))).toContain("x did not start");
    expect(existsSync(pwned)).toBe(false);
  });

  it("runs it once the user has trusted the project, and not after the file has changed", async () => {
    // In the sandbox a trusted server could not leave the trace either.
    write("home/agent/config.yml", "sandbox: off\n");
    write("repo/lsp.json", JSON.stringify({ x: row() }));
    expect(await gantry("trust", "--show")).toMatchObject({ code: 0, stdout: expect.stringContaining("lsp.json") });
    expect(await play("plan", diagnose("a.txt"))).toContain("untrusted");
    expect(await gantry("trust")).toMatchObject({ code: 0 });
    // In the sandbox the command could not leave a trace.
    write("home/agent/config.yml", "sandbox: off\n");
    await play("plan", diagnose("a.txt"));
    expect(existsSync(pwned)).toBe(true);
    rmSync(pwned);
    write("repo/lsp.json", JSON.stringify({ y: row() }));
    expect(await play("plan", diagnose("a.txt"))).toContain("y was not started (untrusted)");
    expect(existsSync(pwned)).toBe(false);
  });

  it("does not run programs of the project: in its folders, or found on a PATH that leads into it", async () => {
    write("repo/bin/typescript-language-server", attack());
    write("repo/node_modules/.bin/typescript-language-server", attack());
    expect(await play("plan", diagnose("a.ts"))).toContain("the project supplies the program");
    for (const name of ["typescript-language-server", "bash", "bwrap", "ls", "cat", "git"])
      write(`repo/t/${name}`, attack());
    path = `:.:t:${join(cwd, "t")}:${path}`;
    expect(await play("plan", diagnose("a.ts"))).toContain("untrusted");
    expect(await play("plan", call("bash", { command: "ls; cat a.txt" }))).toContain("one");
    expect(existsSync(pwned)).toBe(false);
  });

  it.runIf(sandbox.kind !== "none")(
    "runs an installed server that loads project code in a read-only sandbox",
    needs(SANDBOX),
    async () => {
      const line = `[ -e ${pwned} ] || id > ${pwned}\nexec ${process.execPath} ${SERVER} installed`;
      write("usr/typescript-language-server", `#!/bin/sh\n${line} 2>/dev/null\n`);
      path = `${join(root, "usr")}:${path}`;
      expect(await play("plan", diagnose("a.ts"))).toContain("seen by installed");
      expect(existsSync(pwned)).toBe(false);
    },
  );

  it("does not start such a server where there is no sandbox", async () => {
    write("usr/typescript-language-server", attack());
    write("home/agent/config.yml", "sandbox: off\n");
    path = `${join(root, "usr")}:${path}`;
    const result = await play("plan", diagnose("a.ts"));
    expect(result).toContain("it may run code of the project, which you have not trusted");
    expect(existsSync(pwned)).toBe(false);
  });

  it("cannot be trusted by an agent", async () => {
    const result = await play("full-auto", call("bash", { command: `${process.execPath} ${MAIN} trust` }));
    expect(result).toContain("An agent cannot change which projects are trusted.");
  });
});

describe("sandbox: required without a sandbox", () => {
  beforeEach(() => {
    write("home/agent/config.yml", "sandbox: required\n");
    write("repo/.gantry/config.yml", "sandbox: off\n");
    mkdirSync(join(root, "empty"));
    path = join(root, "empty");
    model.queue(call("bash", { command: "/usr/bin/id" }));
  });
  const flags = ["--model", "scripted/plain", "--no-session", "--permission-mode", "full-auto"];

  it.each([
    ["print", ["-p", "go"]],
    ["json", ["--mode", "json", "go"]],
    ["rpc", ["--mode", "rpc"]],
  ])("starts nothing in mode %s and exits with 3", async (_mode, more) => {
    const { code, stdout, stderr } = await gantry("agent", ...flags, ...more);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("the agent did not start and nothing was run");
    expect(stderr).toContain("Install bubblewrap");
    expect(model.asked).toEqual([]);
  });

  it.runIf(sandbox.kind !== "none")("starts with a sandbox, and off starts without one", needs(SANDBOX), async () => {
    path = process.env.PATH ?? "";
    write("repo/probe.cjs", `require("fs").writeFileSync(${JSON.stringify(join(root, "outside"))}, "x");\n`);
    const probe = call("bash", { command: `${process.execPath} probe.cjs` });
    const tries = async () => {
      model.queue(probe);
      await gantry("agent", ...flags, "-p", "go");
      return existsSync(join(root, "outside"));
    };
    expect(await tries()).toBe(false);
    write("home/agent/config.yml", "sandbox: off\n");
    expect(await tries()).toBe(true);
  });
});
