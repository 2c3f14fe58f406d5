import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "@gantry/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { listProcesses } from "./process/identity.ts";
import { faults } from "./session/engine/testing/engine.fake.ts";
import { TestDaemon } from "./test-daemon.ts";

const DIALECTS = ["scripted", "claude", "codex"] as const;
/** Deadlines that a test can wait for; the others stay far away. */
const HASTY = "deadlines: { handshakeSeconds: 3, firstOutputSeconds: 3, interruptSeconds: 1, stopSeconds: 1 }\n";

/** A deadline for turns that end without an interrupt, generous for slow machines. */
const PATIENT = "deadlines: { interruptSeconds: 1, stopSeconds: 1 }\n";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(options: ConstructorParameters<typeof TestDaemon>[0] = {}): Promise<TestDaemon> {
  const daemon = new TestDaemon({ config: HASTY, ...options });
  open.push(daemon);
  return daemon.start();
}

function endOf(events: readonly Envelope[]): Envelope<"turn.ended">["data"] {
  const end = events.findLast((event) => event.type === "turn.ended");
  if (!end) throw new Error(`no end in ${events.map((event) => event.type).join(" ")}`);
  return end.data;
}

/** Every process below this test's home folder: the agents and whatever they left behind. */
function left(daemon: TestDaemon): number {
  const spool = join(daemon.home, "gantry", "spool");
  const sessions = existsSync(spool) ? readdirSync(spool) : [];
  const ids = sessions.flatMap((session) => readdirSync(join(spool, session)));
  return listProcesses().filter((one) => one.marker !== undefined && ids.includes(one.marker)).length;
}

describe.each(DIALECTS)("a turn of the fake %s agent", (agent) => {
  it("asks, writes what was allowed, and ends", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session(agent, "[[write]] go");
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    expect(inputs[0]).toMatchObject({ kind: "approval", session: id });
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    expect(endOf(events).outcome).toBe("completed");
    expect(faults(events)).toEqual({ broken: [], open: [] });
    expect(readFileSync(join(daemon.cwd, "hello.txt"), "utf8")).toBe("hello world\n");
  });

  it("continues after the daemon was stopped during it and another was started", async () => {
    const daemon = await startDaemon({ pace: 20 });
    const { id } = await daemon.session(agent, "[[write]] go");
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    await daemon.stop("keep");
    await daemon.start();
    expect((await daemon.client.inbox()).map((input) => input.id)).toEqual([inputs[0]?.id]);
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
    await daemon.waitForIdle(id);
    expect(endOf(await daemon.log(id)).outcome).toBe("completed");
  });

  it("is resumed by the next message after its process was released", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session(agent, "[[text]] one");
    const before = (await daemon.waitForIdle(id)).handles[agent];
    expect(await daemon.client.call("closeSession", { params: { id } })).toEqual({ released: true });
    expect(left(daemon)).toBe(0);
    await daemon.client.sessions.send(id, { text: "[[text]] two" });
    const session = await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle");
    expect(session.handles[agent]).toBe(before);
  });
});

describe.each(DIALECTS)("when the fake %s agent", (agent) => {
  const outcomes: [string, string, { outcome: string; category?: string }][] = [
    ["hang", "[[text]] go", { outcome: "failed", category: "timeout" }],
    ["never-ready", "[[text]] go", { outcome: "failed", category: "timeout" }],
    ["exit-at-once", "[[text]] go", { outcome: "failed", category: "crashed" }],
    ["crash-after-accept", "[[text]] go", { outcome: "failed", category: "crashed" }],
    ["exit-mid", "[[text]] go", { outcome: "failed", category: "crashed" }],
    ["crash-signal", "[[text]] go", { outcome: "failed", category: "crashed" }],
    ["foreign-session", "[[bash]] go", { outcome: "completed" }],
    ["out-of-order", "[[parallel]] go", { outcome: "completed" }],
    ["duplicate-ids", "[[bash]] go", { outcome: "completed" }],
    ["missing-end", "[[bash]] go", { outcome: "completed" }],
    ["double-turn-end", "[[text]] go", { outcome: "completed" }],
    ["approval-withdrawn", "[[write]] go", { outcome: "completed" }],
    ["garbage", "[[bash]] go", { outcome: "completed" }],
    ["unknown-frames", "[[bash]] go", { outcome: "completed" }],
    ["partial-line", "[[text]] go", { outcome: "completed" }],
    ["flood", "[[text]] go", { outcome: "completed" }],
    ["closes-stdin", "[[text]] go", { outcome: "completed" }],
    ["slow-start:300", "[[text]] go", { outcome: "completed" }],
    ["logged-out", "[[text]] go", { outcome: "failed", category: "auth" }],
  ];
  it.each(outcomes)("with fault %s ends its turn and keeps the laws", async (fault, prompt, expected) => {
    const config = expected.category === "timeout" ? HASTY : PATIENT;
    const daemon = await startDaemon({ faults: [fault as never], config });
    const { id } = await daemon.session(agent, prompt, { mode: fault === "approval-withdrawn" ? "ask" : "full-auto" });
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    const end = endOf(events);
    expect({ outcome: end.outcome, category: end.error?.category }).toEqual({ category: undefined, ...expected });
    if (end.error) expect(end.error.remedy).not.toBe("");
    expect(faults(events)).toEqual({ broken: [], open: [] });
    await daemon.stop("release");
    expect(left(daemon)).toBe(0);
  });

  it("is released in the middle of turns leaves no process and starts none", async () => {
    const daemon = await startDaemon({});
    const sessions = await Promise.all([1, 2, 3].map(() => daemon.session(agent, "[[slow:100:50]] go")));
    for (const { id } of sessions) await daemon.waitUntil(id, (session) => session.lastSeq > 6);
    await daemon.stop("release");
    expect(left(daemon)).toBe(0);
  });

  it("that crashes while another message is queued gets a new process for that message", async () => {
    const daemon = await startDaemon({ faults: ["exit-mid"], pace: 50 });
    const { id } = await daemon.session(agent, "[[slow:20:50]] go");
    await daemon.client.sessions.send(id, { text: "[[slow:20:50]] continue", delivery: "queue" });
    await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && (state === "idle" || state === "waiting"));
    const events = await daemon.log(id);
    const second = events.findLast((event) => event.type === "turn.started")?.turn;
    // It answers, or reports that it has no such conversation.
    const spoke = events.filter(({ type }) => type === "message.done" || type === "input.requested");
    expect(spoke.map(({ turn }) => turn)).toContain(second);
    expect(faults(events).broken).toEqual([]);
  });

  it.each(["grandchild", "grandchild-setsid", "ignore-sigterm"] as const)(
    "with fault %s leaves no process running",
    async (fault) => {
      const daemon = await startDaemon({ faults: [fault] });
      const { id } = await daemon.session(agent, "[[text]] go");
      await daemon.waitForIdle(id);
      await daemon.client.call("closeSession", { params: { id } });
      expect(left(daemon)).toBe(0);
    },
  );

  it.each(["ignore-interrupt", "late-after-cancel"] as const)(
    "with fault %s ends an interrupted turn as interrupted",
    async (fault) => {
      const daemon = await startDaemon({ faults: [fault] });
      const { id } = await daemon.session(agent, "[[slow:100:50]] go");
      await daemon.waitUntil(id, (session) => session.lastSeq > 6);
      await sleep(300);
      expect(await daemon.client.sessions.interrupt(id)).toMatchObject({ interrupted: true });
      await daemon.waitForIdle(id);
      const events = await daemon.log(id);
      expect(endOf(events).outcome).toBe("interrupted");
      expect(faults(events)).toEqual({ broken: [], open: [] });
    },
  );
});

describe("a line of 50 MB", () => {
  it("is dropped with an error; memory stays bounded and the turn ends", async () => {
    const daemon = await startDaemon({ faults: ["huge-line:50"] });
    const before = process.memoryUsage().rss;
    const { id } = await daemon.session("scripted", "[[text]] go");
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    expect(events.find((event) => event.type === "error")).toMatchObject({
      data: { category: "protocol", message: expect.stringContaining("50.0 MB") },
    });
    expect(endOf(events).outcome).toBe("completed");
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe("an agent that is not there", () => {
  it.each([
    ["/nowhere/claude", /nowhere/],
    ["/etc/passwd", /passwd/],
  ])("(%s) is refused with a remedy", async (bin, message) => {
    const daemon = await startDaemon({ env: { GANTRY_CLAUDE_BIN: bin } });
    await expect(daemon.session("claude", "hi")).rejects.toMatchObject({
      code: "agent_unavailable",
      message: expect.stringMatching(message),
      remedy: expect.any(String),
    });
    expect((await daemon.client.sessions.list({})).sessions).toEqual([]);
  });
});

describe("a native conversation that is gone", () => {
  it.each(["rebuild", "new"] as const)("is not replaced in silence: the person chooses %s", async (choice) => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[text]] remember the blue door");
    await daemon.waitForIdle(id);
    await daemon.client.call("closeSession", { params: { id } });
    const store = join(daemon.home, ".scripted-agent");
    for (const file of readdirSync(store)) (await import("node:fs")).rmSync(join(store, file));
    await daemon.client.sessions.send(id, { text: "[[text]] continue" });
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    expect(inputs[0]?.questions[0]?.options.map((option) => option.label)).toEqual(["retry", "rebuild", "new"]);
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow", answers: { continuity: choice } });
    await daemon.waitForIdle(id);
    const events = await daemon.log(id);
    expect(endOf(events).outcome).toBe("completed");
    expect(faults(events)).toEqual({ broken: [], open: [] });
  });
});

describe("the home folder", () => {
  it("belongs to one daemon, and the second fails with the holder", async () => {
    const daemon = await startDaemon();
    await expect(daemon.start()).rejects.toThrow(new RegExp(`${process.pid} at ${daemon.daemon.url}`));
  });

  it("never shows the token in a log", async () => {
    const daemon = await startDaemon();
    await daemon.client.health();
    await fetch(`${daemon.daemon.url}/v1/sessions?token=${daemon.daemon.token}`);
    expect(readFileSync(join(daemon.home, "gantry", "logs", "daemon.log"), "utf8")).not.toContain(daemon.daemon.token);
  });
});
