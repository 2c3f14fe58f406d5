import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultName, Faults, faultTable } from "@gantry/scripted/agent";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { type Driven, type Driver, drive, waitForStderr } from "./testing/driver.ts";
import type { FaultSpec } from "./write-fake-agent.ts";

vi.setConfig({ testTimeout: 60_000 });

const DIALECTS: Driven[] = ["scripted", "claude", "codex"];
const tried = new Set<FaultName>();

/** Starts a fake agent that ends with the test. The tests run concurrently, since most of them only wait. */
function start(
  { onTestFinished }: TestContext,
  dialect: Driven,
  fault: FaultSpec | undefined,
  more: Parameters<typeof drive>[1] = {},
): Driver {
  if (fault) tried.add(fault.split(":")[0] as FaultName);
  const driver = drive(dialect, { fault, ...more });
  onTestFinished(() => driver.dispose());
  return driver;
}

/** Resolves to `true` when the process prints nothing for a while. */
async function fallsSilent(driver: Driver): Promise<boolean> {
  for (let quiet = 0, seen = -1; quiet < 5; ) {
    quiet = driver.agent.frames.length === seen ? quiet + 1 : 0;
    seen = driver.agent.frames.length;
    await sleep(60);
  }
  return true;
}

const texts = (driver: Driver) => driver.agent.frames.map(driver.messageText).filter((text) => text !== null);
const endedTools = (driver: Driver) => driver.agent.frames.map(driver.endedTool).filter((id) => id !== null);
const turnEnds = (driver: Driver) => driver.agent.frames.filter(driver.isTurnEnd);

test("rejects an unknown fault by name", () => {
  expect(() => Faults.parse(["nonsense"])).toThrow(/Unknown fault "nonsense"/);
});

describe.concurrent.each(DIALECTS)("%s", (dialect) => {
  test("hang accepts the prompt and prints nothing more", async (context) => {
    const driver = start(context, dialect, "hang");
    await driver.start();
    driver.prompt("[[text]]");
    await fallsSilent(driver);
    expect(texts(driver)).toEqual([]);
    expect(turnEnds(driver)).toEqual([]);
  });

  test("never-ready does not answer the handshake", async (context) => {
    const driver = start(context, dialect, "never-ready");
    void driver.start().catch(() => {});
    await fallsSilent(driver);
    expect(driver.agent.frames).toEqual([]);
  });

  test("slow-start answers late", async (context) => {
    const driver = start(context, dialect, "slow-start:300");
    const before = Date.now();
    await driver.start();
    expect(Date.now() - before).toBeGreaterThanOrEqual(300);
  });

  test("exit-at-once prints to stderr and exits with its code", async (context) => {
    const driver = start(context, dialect, "exit-at-once:7");
    expect((await driver.agent.exit).code).toBe(7);
    await waitForStderr(driver.agent, /refuses to start/);
    expect(driver.agent.frames).toEqual([]);
  });

  test("crash-after-accept exits before the turn starts", async (context) => {
    const driver = start(context, dialect, "crash-after-accept");
    await driver.start();
    driver.prompt("[[text]]");
    expect((await driver.agent.exit).code).toBe(1);
    expect(texts(driver)).toEqual([]);
  });

  test("exit-mid exits inside a message", async (context) => {
    const driver = start(context, dialect, "exit-mid:9");
    await driver.start();
    driver.prompt("[[text]]");
    expect((await driver.agent.exit).code).toBe(9);
    expect(JSON.stringify(driver.agent.frames)).toContain("Hello from t");
    expect(texts(driver)).toEqual([]);
  });

  test("crash-signal dies of SIGSEGV", async (context) => {
    const driver = start(context, dialect, "crash-signal");
    await driver.start();
    driver.prompt("[[text]]");
    expect((await driver.agent.exit).signal).toBe("SIGSEGV");
    expect(turnEnds(driver)).toEqual([]);
  });

  test("late-after-cancel sends output after the end of the turn", async (context) => {
    const driver = start(context, dialect, "late-after-cancel");
    await driver.start();
    driver.prompt("[[slow:1000:5]]");
    await driver.agent.waitFor((frame) => JSON.stringify(frame).includes("word3"));
    driver.interrupt();
    await driver.agent.waitFor((frame) => driver.messageText(frame) === "and another thing");
    const end = driver.agent.frames.findIndex(driver.isTurnEnd);
    const late = driver.agent.frames.findIndex((frame) => driver.messageText(frame) === "and another thing");
    expect(end).toBeGreaterThan(-1);
    expect(late).toBeGreaterThan(end);
  });

  test("trailing ends tool calls and sends the last text after the end of the turn", async (context) => {
    const driver = start(context, dialect, "trailing");
    await driver.start();
    driver.prompt("[[parallel]]");
    await driver.agent.waitFor((frame) => driver.endedTool(frame) !== null);
    const { frames } = driver.agent;
    const end = frames.findIndex(driver.isTurnEnd);
    expect(end).toBeGreaterThan(-1);
    expect(frames.findIndex((frame) => driver.messageText(frame) === " That is all.")).toBeGreaterThan(end);
    expect(frames.findIndex((frame) => driver.endedTool(frame) !== null)).toBeGreaterThan(end);
  });

  test("ignore-interrupt completes the turn", async (context) => {
    const driver = start(context, dialect, "ignore-interrupt");
    await driver.start();
    driver.prompt("[[slow:30:5]]");
    await driver.agent.waitFor((frame) => JSON.stringify(frame).includes("word3"));
    driver.interrupt();
    await driver.turnEnd();
    expect(texts(driver).at(-1)).toContain("word29");
  });

  test("foreign-session inserts frames of another session", async (context) => {
    const driver = start(context, dialect, "foreign-session");
    await driver.start();
    driver.prompt("[[text]]");
    await vi.waitFor(() => expect(turnEnds(driver).length).toBe(2), { timeout: 30_000 });
    expect(texts(driver).length).toBe(2);
    expect(new Set(texts(driver)).size).toBe(1);
  });

  test("out-of-order ends parallel calls in reverse", async (context) => {
    const driver = start(context, dialect, "out-of-order");
    await driver.start();
    driver.prompt("[[parallel]]");
    await driver.turnEnd();
    const printed = JSON.stringify(driver.agent.frames.filter((frame) => driver.endedTool(frame) !== null));
    expect(printed.lastIndexOf("third")).toBeLessThan(printed.lastIndexOf("first"));
    expect(endedTools(driver).length).toBe(3);
  });

  test("duplicate-ids ends everything twice", async (context) => {
    const driver = start(context, dialect, "duplicate-ids");
    await driver.start();
    driver.prompt("[[parallel]]");
    await driver.turnEnd();
    expect(endedTools(driver).length).toBe(6);
    expect(new Set(endedTools(driver)).size).toBe(3);
    expect(texts(driver)).toEqual(Array(2).fill("All three at once are done."));
  });

  test("missing-end ends no tool call", async (context) => {
    const driver = start(context, dialect, "missing-end");
    await driver.start();
    driver.prompt("[[parallel]]");
    await driver.turnEnd();
    expect(endedTools(driver)).toEqual([]);
    expect(texts(driver)).toEqual(["All three at once are done."]);
  });

  test("double-turn-end ends the turn twice", async (context) => {
    const driver = start(context, dialect, "double-turn-end");
    await driver.start();
    driver.prompt("[[text]]");
    await vi.waitFor(() => expect(turnEnds(driver).length).toBe(2), { timeout: 30_000 });
  });

  test("approval-withdrawn withdraws the request and writes nothing", async (context) => {
    const driver = start(context, dialect, "approval-withdrawn");
    await driver.start();
    driver.prompt("[[write]]");
    const request = await driver.agent.waitFor(driver.isRequest);
    await driver.turnEnd();
    const after = driver.agent.frames.slice(driver.agent.frames.indexOf(request) + 1);
    expect(JSON.stringify(after)).toMatch(/"by":"agent"|control_cancel_request|serverRequest\/resolved/);
    expect(existsSync(join(driver.cwd, "hello.txt"))).toBe(false);
  });

  test("garbage keeps all frames", async (context) => {
    const driver = start(context, dialect, "garbage");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    expect(texts(driver)).toEqual(["Hello from the scripted agent. The answer is 42."]);
    expect(driver.agent.noise).toContain("this line is no JSON");
    expect(driver.agent.noise.some((line) => line.includes("\ufffd"))).toBe(true);
    expect(driver.agent.noise).toContain("");
  });

  test("unknown-frames sends unknown types", async (context) => {
    const driver = start(context, dialect, "unknown-frames");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    expect(JSON.stringify(driver.agent.frames)).toMatch(/x-future|x_future|x\/future/);
    expect(texts(driver)).toEqual(["Hello from the scripted agent. The answer is 42."]);
  });

  test("partial-line splits lines without losing text", async (context) => {
    const driver = start(context, dialect, "partial-line:2");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    expect(driver.agent.noise).toEqual([]);
    expect(texts(driver)).toEqual(["Hello from the scripted agent. The answer is 42."]);
  });

  test("huge-line prints one line of several megabytes", async (context) => {
    const driver = start(context, dialect, "huge-line:3");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    expect(texts(driver)[0]?.length).toBe(3_000_000);
  });

  test("flood floods stderr and ends the turn", async (context) => {
    const driver = start(context, dialect, "flood:1");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    await waitForStderr(driver.agent, /[\s\S]{50000}/);
  });

  test("replay-then-hang sends the history and then nothing", async (context) => {
    const first = start(context, dialect, undefined);
    const id = (await first.start()) || "11111111-2222-4333-8444-555555555555";
    first.prompt("[[text]]");
    await first.turnEnd();
    first.agent.hangUp();
    await first.agent.exit;
    const resume = dialect === "claude" ? { args: ["--resume", await sessionOf(first)] } : {};
    const second = start(context, dialect, "replay-then-hang", { home: first.home, ...resume });
    void second.start(id).catch(() => {});
    await second.agent.waitFor((frame) => JSON.stringify(frame).includes(dialect === "claude" ? "isReplay" : "42"));
    await fallsSilent(second);
    expect(turnEnds(second)).toEqual([]);
  });

  test("logged-out fails the turn", async (context) => {
    const driver = start(context, dialect, "logged-out");
    await driver.start();
    driver.prompt("[[text]]");
    expect(JSON.stringify(await driver.turnEnd())).toMatch(/"auth"|401/);
  });

  test("closes-stdin keeps running without input", async (context) => {
    const driver = start(context, dialect, "closes-stdin");
    await driver.start();
    driver.prompt("[[text]]");
    await driver.turnEnd();
    driver.agent.hangUp();
    await fallsSilent(driver);
    expect(isAlive(driver.agent.pid)).toBe(true);
  });

  test("ignore-sigterm ends only on SIGKILL", async (context) => {
    const driver = start(context, dialect, "ignore-sigterm");
    await driver.start();
    driver.agent.hangUp();
    process.kill(driver.agent.pid, "SIGTERM");
    await fallsSilent(driver);
    expect(isAlive(driver.agent.pid)).toBe(true);
    process.kill(driver.agent.pid, "SIGKILL");
    expect((await driver.agent.exit).signal).toBe("SIGKILL");
  });

  test.for(["grandchild", "grandchild-setsid"] as const)("%s outlives the agent", async (fault, context) => {
    const driver = start(context, dialect, fault);
    await driver.start();
    await waitForStderr(driver.agent, /grandchild pid=\d+/);
    const pid = Number(/grandchild pid=(\d+)/.exec(driver.agent.stderr())?.[1]);
    context.onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
    driver.agent.hangUp();
    await driver.agent.exit;
    expect(isAlive(pid)).toBe(true);
  });
});

test("covers every fault of the table", () => {
  expect([...tried].sort()).toEqual(Object.keys(faultTable).sort());
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function sessionOf(driver: Driver): Promise<string> {
  return String((await driver.turnEnd()).session_id);
}
