import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LINUX, needs } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentEnvironment } from "../finding/environment.ts";
import { TestMachine } from "../finding/testing/machine.ts";
import { makeProbeTools, type OwnedProbeTools } from "./probe-tools.ts";

let machine: TestMachine;
let opened: OwnedProbeTools[] = [];

beforeEach(() => {
  machine = new TestMachine();
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((tools) => tools.close()));
  machine.remove();
});

function toolsFor(script: string, env = machine.env()): OwnedProbeTools {
  const tools = makeProbeTools([machine.program("bin/probed", script)], env);
  opened.push(tools);
  return tools;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed orphan stays in the process table until its new parent reaps it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function pidIn(file: string): Promise<number> {
  await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, "utf8").trim()).toBeTruthy(), {
    timeout: 20_000,
  });
  return Number(readFileSync(file, "utf8"));
}

describe("run", () => {
  it("returns output and exit code, and passes arguments", async () => {
    const result = await toolsFor('echo "out $1 $2"; echo err >&2; exit 7').run(["a b", "c"]);
    expect(result).toEqual({ code: 7, stdout: "out a b c\n", stderr: "err\n", timedOut: false });
  });

  it("writes the input and always closes stdin", async () => {
    expect((await toolsFor("cat").run([], { input: "hello" })).stdout).toBe("hello");
    expect((await toolsFor("cat; echo done").run([])).stdout).toBe("done\n");
  });

  it("kills a process that exceeds the timeout, with its children", async () => {
    const file = join(machine.root, "child.pid");
    const running = toolsFor(`sleep 600 & echo $! > ${file}; echo started; wait`).run([], { timeoutMs: 3000 });
    const child = await pidIn(file);
    const result = await running;
    expect(result).toMatchObject({ code: null, stdout: "started\n", timedOut: true });
    await vi.waitFor(() => expect(alive(child)).toBe(false), { timeout: 20_000 });
  });

  it("kills a process that ignores SIGTERM", async () => {
    const result = await toolsFor("trap '' TERM; while :; do sleep 1; done").run([], { timeoutMs: 200 });
    expect(result).toMatchObject({ code: null, timedOut: true });
  });

  it("does not wait for a child that holds the pipes open", async () => {
    const file = join(machine.root, "child.pid");
    const result = await toolsFor(`sleep 600 & echo $! > ${file}; echo 1.0.0`).run([], { timeoutMs: 60_000 });
    expect(result).toMatchObject({ code: 0, stdout: "1.0.0\n", timedOut: false });
    const child = await pidIn(file);
    await vi.waitFor(() => expect(alive(child)).toBe(false), { timeout: 20_000 });
  });

  it("stops a process that floods stdout and returns one megabyte", async () => {
    const result = await toolsFor("yes").run([], { timeoutMs: 60_000 });
    expect(result.stdout.length).toBe(1024 * 1024);
    expect(result).toMatchObject({ code: null, timedOut: false });
  });

  it("tolerates a flood on stderr and returns one megabyte", async () => {
    const result = await toolsFor("yes | head -c 3000000 >&2; echo fine").run([], { timeoutMs: 60_000 });
    expect(result).toMatchObject({ code: 0, stdout: "fine\n" });
    expect(result.stderr.length).toBe(1024 * 1024);
  });

  it("reports a program that cannot be started", async () => {
    const absent = makeProbeTools([join(machine.root, "nowhere")], {});
    opened.push(absent);
    expect(await absent.run([])).toMatchObject({ code: null, failed: expect.stringContaining("ENOENT") });
    expect((await toolsFor("echo").run(["a\0b"])).failed).toContain("null bytes");
    const wrong = machine.program("bin/wrong-interpreter");
    machine.file("bin/wrong-interpreter", "#!/nowhere/node\n");
    const broken = makeProbeTools([wrong], {});
    opened.push(broken);
    expect((await broken.run([])).failed).toContain("ENOENT");
  });

  it("runs in a scratch folder that close removes", async () => {
    const tools = toolsFor("pwd; touch litter");
    const folder = (await tools.run([])).stdout.trim();
    expect(folder).not.toBe(process.cwd());
    expect(existsSync(join(folder, "litter"))).toBe(true);
    await tools.close();
    expect(existsSync(folder)).toBe(false);
  });

  it("removes only Gantry's variables from the environment", async () => {
    const env = agentEnvironment({
      ...machine.env(),
      GANTRY_HOME: "/h",
      GANTRY_TOKEN: "t",
      SOME_KEY: "k",
      NONE: undefined,
    });
    const { stdout } = await toolsFor("env", env).run([]);
    expect(stdout).not.toContain("GANTRY_");
    expect(stdout).toContain("SOME_KEY=k");
  });
});

describe("converse", () => {
  const isDone = (lines: unknown[]) => lines.some((line) => (line as { done?: boolean } | null)?.done === true);

  it("writes frames, sends replies and stops when done", async () => {
    const script = [
      'read first; echo "{\\"received\\":$first}"',
      'read second; echo "{\\"received\\":$second}"',
      "echo '{\"done\":true}'; sleep 600",
    ].join("\n");
    const { lines } = await toolsFor(script).converse([], [{ hello: 1 }], isDone, {
      timeoutMs: 60_000,
      reply: (line) => ((line as { received?: { hello?: number } }).received?.hello ? [{ again: 2 }] : []),
    });
    expect(lines).toEqual([{ received: { hello: 1 } }, { received: { again: 2 } }, { done: true }]);
  });

  it("returns the collected lines when the time is up", async () => {
    const result = await toolsFor("echo '{\"a\":1}'; sleep 600").converse([], [], isDone, { timeoutMs: 3000 });
    expect(result).toMatchObject({ lines: [{ a: 1 }], code: null, timedOut: true });
  });

  it("returns when the process exits at once", async () => {
    const result = await toolsFor("echo no such option >&2; exit 2").converse([], [{ hello: 1 }], isDone);
    expect(result).toMatchObject({ lines: [], code: 2, stderr: "no such option\n", timedOut: false });
  });

  it("passes invalid JSON as text and survives callbacks that throw", async () => {
    const stumbling = (lines: unknown[]) => lines.some((line) => (line as { x: { y: boolean } }).x.y);
    const reply = (line: unknown) => [(line as { x: { y: string } }).x.y];
    const { lines } = await toolsFor("echo 'no json'; echo; echo null; echo '{\"a\":'").converse([], [], stumbling, {
      reply,
    });
    expect(lines).toEqual(["no json", null, '{"a":']);
  });

  it("finishes under a flood of output", async () => {
    const { lines } = await toolsFor("yes '{}'").converse([], [], isDone, { timeoutMs: 60_000 });
    expect(lines.length).toBeGreaterThan(100_000);
  });
});

describe("close", () => {
  it("stops running processes", async () => {
    const file = join(machine.root, "own.pid");
    const tools = toolsFor(`echo $$ > ${file}; exec sleep 600`);
    const running = tools.run([], { timeoutMs: 600_000 });
    const pid = await pidIn(file);
    await tools.close();
    expect(await running).toMatchObject({ code: null, timedOut: false });
    expect(alive(pid)).toBe(false);
  });

  it.runIf(LINUX.met)("kills a program that re-executes itself outside the process group", needs(LINUX), async () => {
    const file = join(machine.root, "relaunched.pid");
    const tools = toolsFor(`setsid sh -c 'echo $$ > ${file}; exec sleep 600' & echo 1.0.0`);
    expect((await tools.run([])).stdout).toBe("1.0.0\n");
    const pid = await pidIn(file);
    await tools.close();
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 20_000 });
  });

  it("starts no process afterwards", async () => {
    const tools = toolsFor("echo hello");
    await tools.close();
    expect((await tools.run([])).failed).toBe("the probe was closed");
    expect(await tools.converse([], [], () => false)).toMatchObject({ lines: [], failed: "the probe was closed" });
  });
});
