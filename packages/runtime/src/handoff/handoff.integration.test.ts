import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope, HandoffBody, PatchSession } from "@gantry/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { faults } from "../session/engine/testing/engine.fake.ts";
import { TestDaemon } from "../test-daemon.ts";
import { findUnsourcedLines, findWrongSources } from "./brief/testing/held.ts";

const CONFIG = "deadlines: { interruptSeconds: 1, stopSeconds: 1 }\n";
const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(options: ConstructorParameters<typeof TestDaemon>[0] = {}): Promise<TestDaemon> {
  const daemon = new TestDaemon({ config: CONFIG, ...options });
  open.push(daemon);
  return daemon.start();
}

const handOff = (daemon: TestDaemon, id: string, body: HandoffBody) => daemon.client.sessions.handOff(id, body);
const plan = (daemon: TestDaemon, id: string, body: HandoffBody) => daemon.client.sessions.planHandoff(id, body);

const of = <T extends Envelope["type"]>(events: readonly Envelope[], type: T) =>
  events.filter((event): event is Envelope & Envelope<T> => event.type === type);

/** Resolves when the handoff has ended and nothing runs. */
async function waitForHandoffs(daemon: TestDaemon, id: string, handoffs: number): Promise<Envelope[]> {
  for (;;) {
    await daemon.waitUntil(
      id,
      (session) => session.state === "idle" && !session.handingTo && session.queue.length === 0,
    );
    const events = await daemon.log(id);
    if (of(events, "handoff.ended").length === handoffs) return events;
  }
}

describe("a handoff", () => {
  it("gives the next agent a brief, and resumes the first conversation when it is handed back", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    const first = await daemon.waitForIdle(id);
    const answer = await handOff(daemon, id, { agent: "codex", prompt: "[[text]] which bird?" });
    expect(answer).toMatchObject({ id, agent: "codex", handoff: { from: "claude", to: "codex", strategy: "brief" } });
    const there = await waitForHandoffs(daemon, id, 1);
    expect(of(there, "handoff.started")[0]?.data).toMatchObject({ strategy: "brief", prompt: "[[text]] which bird?" });
    expect(of(there, "handoff.ended")[0]?.data).toMatchObject({ outcome: "completed" });
    expect(of(there, "turn.started").at(-1)?.data.trigger).toBe("handoff");
    const message = of(there, "message.user").at(-1)?.data;
    expect(message?.author).toBe("gantry");
    expect(message?.text).toContain("remember the heron");
    const session = await daemon.client.sessions.get(id);
    expect(session.handles).toMatchObject({ claude: first.handles.claude, codex: expect.any(String) });

    await handOff(daemon, id, { agent: "claude", prompt: "[[text]] and now?" });
    const back = await waitForHandoffs(daemon, id, 2);
    expect(of(back, "handoff.started")[1]?.data).toMatchObject({ strategy: "resume" });
    const text = of(back, "message.user").at(-1)?.data.text ?? "";
    expect(text).toContain("which bird?");
    expect(text).not.toContain("remember the heron");
    expect((await daemon.client.sessions.get(id)).handles.claude).toBe(first.handles.claude);
    expect(faults(back)).toEqual({ broken: [], open: [] });
  });

  it("is planned without changing anything", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[bash]] remember the heron", { mode: "full-auto" });
    const before = await daemon.waitForIdle(id);
    const shown = await plan(daemon, id, { agent: "codex" });
    expect(shown).toMatchObject({ from: "claude", to: "codex", strategy: "brief", mode: "full-auto" });
    expect(shown.blocked).toBeUndefined();
    expect(shown.brief).toMatch(/- `echo hi-from-bash .*` → (exit 0|ok)/);
    expect(findWrongSources(shown.brief, shown.receipts, await daemon.log(id))).toEqual([]);
    expect(findUnsourcedLines(shown.brief, shown.receipts)).toEqual([]);
    expect(await daemon.client.sessions.get(id)).toEqual(before);
    await expect(plan(daemon, id, { agent: "unknown" })).rejects.toMatchObject({ code: "no_such_agent" });
    await expect(plan(daemon, id, { agent: "codex", strategy: "resume" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("has no conversation"),
    });
    await expect(plan(daemon, id, { agent: "codex", strategy: "fork" })).rejects.toMatchObject({ code: "unsupported" });
  });

  it("starts the next agent with its native controls, and drops those of the previous one", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[text]] one");
    await daemon.client.sessions.patch(id, { controls: { fast: "on" } });
    await daemon.waitForIdle(id);
    await expect(plan(daemon, id, { agent: "claude", controls: { fast: "on" } })).rejects.toMatchObject({
      code: "invalid",
    });
    await handOff(daemon, id, { agent: "claude", prompt: "[[text]] two" });
    await waitForHandoffs(daemon, id, 1);
    expect((await daemon.client.sessions.get(id)).controls).toBeUndefined();
    const controls = { fast: "on", reach: "folder" };
    await handOff(daemon, id, { agent: "scripted", mode: "ask", controls, prompt: "[[text]] three" });
    await waitForHandoffs(daemon, id, 2);
    expect(await daemon.client.sessions.get(id)).toMatchObject({
      agent: "scripted",
      mode: "ask",
      controls,
      controlsApplied: { fast: "on" },
    });
    await expect(plan(daemon, id, { agent: "scripted", controls: { reach: "machine" } })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("accepts an edited brief with the sources of the remaining lines", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    await daemon.waitForIdle(id);
    const { brief, receipts } = await plan(daemon, id, { agent: "codex" });
    const line = "> [[text]] remember the heron";
    expect(receipts.some((receipt) => receipt.line === line)).toBe(true);
    await handOff(daemon, id, { agent: "codex", brief: `Mind the nest.\n${line}`, prompt: "[[text]] go" });
    const events = await waitForHandoffs(daemon, id, 1);
    const { data } = of(events, "handoff.started")[0] ?? {};
    expect(data?.receipts?.map((receipt) => receipt.line)).toEqual([line]);
    expect(data?.brief).not.toBe(brief);
    const text = of(events, "message.user").at(-1)?.data.text ?? "";
    expect(text).toContain("Mind the nest.");
    expect(text).toContain("[[text]] go");
  });

  it("is refused during a turn unless it interrupts, and queued messages go to the next agent", async () => {
    const daemon = await startDaemon({ pace: 20 });
    const { id } = await daemon.session("claude", "[[slow:400:50]] go");
    await daemon.waitUntil(id, ({ turn }) => turn !== undefined);
    await daemon.client.sessions.send(id, { text: "[[text]] later", delivery: "queue" });
    await expect(handOff(daemon, id, { agent: "codex" })).rejects.toMatchObject({ code: "turn_running", status: 409 });
    expect((await plan(daemon, id, { agent: "codex" })).blocked).toContain("running");
    const answer = await handOff(daemon, id, { agent: "codex", interrupt: true, prompt: "[[text]] now" });
    expect(["waiting", "started"]).toContain(answer.handoff.state);
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "turn.ended").map(({ data }) => data.outcome)).toEqual(["interrupted", "completed", "completed"]);
    expect(of(events, "turn.started").map(({ data }) => data.trigger)).toEqual(["user", "handoff", "queue"]);
    expect((await daemon.client.sessions.get(id)).agent).toBe("codex");
    expect(faults(events)).toEqual({ broken: [], open: [] });
  });

  it("cancels a pending question when it interrupts, and names it in the brief", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[write]] go");
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    await expect(handOff(daemon, id, { agent: "codex" })).rejects.toMatchObject({ code: "input_pending" });
    await handOff(daemon, id, { agent: "codex", interrupt: true, prompt: "[[text]] now" });
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "input.resolved")[0]?.data).toMatchObject({ id: inputs[0]?.id, decision: "cancel" });
    expect(of(events, "handoff.started")[0]?.data.brief).toMatch(/## Pending questions\n\n- approval: /);
  });

  it("of a fork includes the conversation before the fork, with sources in the parent's log", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    await daemon.waitForIdle(id);
    const child = await daemon.client.sessions.fork(id);
    await daemon.client.sessions.send(child.id, { text: "[[text]] and the egret" });
    await daemon.waitUntil(child.id, ({ turns, state }) => turns === 1 && state === "idle");
    const { brief, receipts } = await plan(daemon, child.id, { agent: "codex" });
    expect(brief).toContain("> [[text]] remember the heron\nThen:\n> [[text]] and the egret");
    const inherited = receipts.filter((receipt) => receipt.session === id);
    const own = receipts.filter((receipt) => receipt.session === undefined);
    expect(inherited.map(({ line }) => line)).toContain("> [[text]] remember the heron");
    expect(findWrongSources(brief, inherited, await daemon.log(id))).toEqual([]);
    expect(findWrongSources(brief, own, await daemon.log(child.id))).toEqual([]);
    expect(findUnsourcedLines(brief, receipts)).toEqual([]);
  });

  it("is suggested for another agent's model, and carried out if the settings allow it", async () => {
    const daemon = await startDaemon();
    const rows = await daemon.client.agents.list();
    const theirs = rows.find((row) => row.id === "codex")?.models.items[0]?.id ?? "";
    expect(theirs).not.toBe("");
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    const before = await daemon.waitForIdle(id);
    await expect(daemon.client.sessions.patch(id, { model: theirs })).rejects.toMatchObject({
      code: "other_family",
      status: 409,
      remedy: expect.stringContaining(`gantry handoff ${id} codex -m ${theirs}`),
      details: { handoff: { agent: "codex", model: theirs } },
    });
    expect(await daemon.client.sessions.get(id)).toEqual(before);
    await daemon.client.sessions.patch(id, { model: "mystery-9" });
    expect(await daemon.client.sessions.get(id)).toMatchObject({ agent: "claude", model: "mystery-9" });

    await daemon.client.settings.change({ switching: "any" });
    const settled = await daemon.client.sessions.get(id);
    const refused = [
      [{ controls: { nothing: "on" } }, 422, "has no control nothing"],
      [{ effort: "enormous" }, 422, "has no effort"],
      [{ folders: [] }, 409, "folders"],
    ] as const;
    for (const [more, status, text] of refused) {
      const patch = daemon.client.sessions.patch(id, { model: theirs, ...more } as PatchSession);
      await expect(patch).rejects.toMatchObject({ status, message: expect.stringContaining(text) });
    }
    expect(await daemon.client.sessions.get(id)).toEqual(settled);
    const changed = await daemon.client.sessions.patch(id, { model: theirs, title: "Birds", controls: { fast: "on" } });
    expect(changed).toMatchObject({
      session: { agent: "codex", model: theirs, title: "Birds", controls: { fast: "on" } },
      handoff: { to: "codex" },
    });
    expect(changed.applied.map(({ field }) => field)).toEqual(["agent", "model", "title"]);
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "message.user").at(-1)?.data.text).toContain("wait for the next message");
  });

  it("to the same agent continues in a copy of its conversation with another model", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    const before = await daemon.waitForIdle(id);
    const answer = await handOff(daemon, id, { agent: "claude", model: "opus", prompt: "[[text]] continue" });
    expect(answer.handoff).toMatchObject({ strategy: "fork" });
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "message.user").at(-1)?.data.text).toBe("[[text]] continue");
    const after = await daemon.client.sessions.get(id);
    expect(after).toMatchObject({ agent: "claude", model: "opus" });
    expect(after.handles.claude).not.toBe(before.handles.claude);
  });

  it("asks how to continue when the conversation to resume no longer exists", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[text]] remember the heron");
    await daemon.waitForIdle(id);
    await handOff(daemon, id, { agent: "codex", prompt: "[[text]] and the egret" });
    await waitForHandoffs(daemon, id, 1);
    rmSync(join(daemon.home, ".scripted-agent"), { recursive: true, force: true });
    await handOff(daemon, id, { agent: "scripted", prompt: "[[text]] which birds?" });
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    expect(inputs[0]?.questions[0]?.options.map(({ label }) => label)).toEqual(["retry", "rebuild", "new"]);
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow", answers: { continuity: "rebuild" } });
    const events = await waitForHandoffs(daemon, id, 2);
    expect(of(events, "handoff.ended")[1]?.data).toMatchObject({ outcome: "completed", strategy: "resume" });
    expect(faults(events)).toEqual({ broken: [], open: [] });
  });

  it("is cancelled by an interrupt before the next agent works, and the queue continues with the previous agent", async () => {
    const daemon = await startDaemon();
    const slow = new TestDaemon({ faults: ["never-ready"] });
    open.push(slow);
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    const before = await daemon.waitForIdle(id);
    await daemon.stop("keep");
    daemon.env.GANTRY_CODEX_BIN = slow.env.GANTRY_CODEX_BIN;
    await daemon.start();
    await daemon.client.health();
    await handOff(daemon, id, { agent: "codex", prompt: "[[text]] go" });
    await daemon.client.sessions.send(id, { text: "[[text]] later", delivery: "queue" });
    await daemon.client.sessions.interrupt(id, "keep");
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "handoff.ended")[0]?.data.outcome).toBe("cancelled");
    expect(of(events, "turn.ended").map(({ data }) => data.outcome)).toEqual(["completed", "interrupted", "completed"]);
    expect(await daemon.client.sessions.get(id)).toMatchObject({ agent: "claude", handles: before.handles, turns: 3 });
    expect(faults(events)).toEqual({ broken: [], open: [] });
  });

  it("returns to the previous agent when the next one is not logged in, and offers the login", async () => {
    const daemon = await startDaemon();
    const out = new TestDaemon({ faults: ["logged-out"] });
    open.push(out);
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    await daemon.waitForIdle(id);
    await daemon.stop("keep");
    daemon.env.GANTRY_CODEX_BIN = out.env.GANTRY_CODEX_BIN;
    await daemon.start();
    await daemon.client.health();
    await handOff(daemon, id, { agent: "codex", prompt: "[[text]] go" });
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "handoff.ended")[0]?.data.outcome).toBe("failed");
    expect(of(events, "turn.ended").at(-1)?.data.error).toMatchObject({ category: "auth", offer: { agent: "codex" } });
    expect((await daemon.client.sessions.get(id)).agent).toBe("claude");
  });

  it("returns to the previous agent and its conversation when the next one cannot be started", async () => {
    const daemon = await startDaemon();
    const broken = join(daemon.home, "broken");
    writeFileSync(broken, "#!/bin/sh\ncase $1 in --version) echo 'codex-cli 0.166.0'; exit;; esac\nexit 3\n", {
      mode: 0o755,
    });
    const { id } = await daemon.session("claude", "[[text]] remember the heron");
    const before = await daemon.waitForIdle(id);
    await daemon.stop("keep");
    daemon.env.GANTRY_CODEX_BIN = broken;
    await daemon.start();
    await daemon.client.health();
    await handOff(daemon, id, { agent: "codex", prompt: "[[text]] go", mode: "plan" });
    const events = await waitForHandoffs(daemon, id, 1);
    expect(of(events, "handoff.ended")[0]?.data).toMatchObject({ outcome: "failed", reason: expect.any(String) });
    const after = await daemon.client.sessions.get(id);
    expect(after).toMatchObject({ agent: "claude", mode: before.mode, handles: before.handles });
    expect(Object.keys(after.handles)).toEqual(Object.keys(before.handles));
    await daemon.client.sessions.send(id, { text: "[[text]] continue" });
    await daemon.waitUntil(id, ({ turns, state }) => turns === 3 && state === "idle");
    expect(faults(await daemon.log(id))).toEqual({ broken: [], open: [] });
  });
});
