import type { ToolResultMessage } from "@gantry/models";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentMessage } from "../contract/messages.ts";
import { blankAnswer } from "../session/drive/ask-model.ts";
import {
  brokenLaws,
  FakeModel,
  fakeRegistry,
  fakeTool,
  LARGE,
  MODEL,
  OTHER,
  settingsWith,
  startSession,
  waitForEvent,
} from "../session/testing/fakes.fake.ts";
import { createSessionStore } from "../session-files/open.ts";
import { findCut } from "./cut.ts";
import { contextTokens, estimateTokens } from "./estimate.ts";
import { findPrunable } from "./prune.ts";
import { compactionThreshold } from "./threshold.ts";
import { touchedFiles } from "./touched-files.ts";

const eventsOf = <Type extends AgentEvent["type"]>(events: AgentEvent[], type: Type) =>
  events.filter((each): each is Extract<AgentEvent, { type: Type }> => each.type === type);
const user = (text: string, timestamp = 1): AgentMessage => ({ role: "user", content: text, timestamp });
const assistantText = (text: string): AgentMessage => ({
  ...blankAnswer(MODEL, "off"),
  content: [{ type: "text", text }],
});
const callMessage = (id: string, name: string, path: string): AgentMessage => ({
  ...blankAnswer(MODEL, "off"),
  content: [{ type: "toolCall", id, name, arguments: { path } }],
});
const result = (toolCallId: string, toolName: string, length: number): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text: "x".repeat(length) }],
  isError: false,
  timestamp: 1,
});

describe("numbers", () => {
  test("estimates a quarter token per character and 1,200 tokens per image", () => {
    expect(estimateTokens(user("x".repeat(400)))).toBe(100);
    const picture = { type: "image" as const, data: "x".repeat(90_000), mimeType: "image/png" };
    expect(estimateTokens({ role: "user", content: [picture], timestamp: 1 })).toBe(1_200);
  });

  test("uses the provider's count until the conversation is shortened", () => {
    const counted: AgentMessage = { ...blankAnswer(MODEL, "off"), timestamp: 5 };
    counted.usage = { ...counted.usage, totalTokens: 5_000 };
    expect(contextTokens([user("a"), counted, user("x".repeat(40))], 7)).toBe(5_010);
    const summary: AgentMessage = { role: "compactionSummary", summary: "x".repeat(40), tokensBefore: 1, timestamp: 9 };
    expect(contextTokens([summary, counted, user("x".repeat(40))], 7)).toBe(27);
  });

  test("reserves room for an answer in the threshold", () => {
    const wanted = { reserveTokens: 16_384, thresholdPercent: -1, thresholdTokens: -1 };
    expect(compactionThreshold({ contextWindow: 200_000, maxTokens: 8_000 }, wanted)).toBe(170_000);
    expect(compactionThreshold({ contextWindow: 100_000, maxTokens: 8_000 }, wanted)).toBe(83_616);
    expect(compactionThreshold({ contextWindow: 200_000, maxTokens: 64_000 }, wanted)).toBe(136_000);
    expect(compactionThreshold({ contextWindow: 8_000, maxTokens: 8_000 }, wanted)).toBe(4_000);
    expect(compactionThreshold({ contextWindow: 1_000, maxTokens: 1 }, { ...wanted, thresholdPercent: 150 })).toBe(990);
    expect(
      compactionThreshold(
        { contextWindow: 1_000, maxTokens: 1 },
        { ...wanted, thresholdPercent: 5, thresholdTokens: 5_000 },
      ),
    ).toBe(999);
  });

  test("never separates a result from its call and loses no message in a cut", () => {
    const message = fc.oneof(
      fc.nat(400).map((length) => user("u".repeat(length))),
      fc.nat(400).map((length) => assistantText("a".repeat(length))),
      fc.nat(400).map((length): AgentMessage => result("c", "bash", length)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), fc.nat(300), fc.boolean(), (rest, keep, summed) => {
        const summary: AgentMessage = { role: "compactionSummary", summary: "s", tokensBefore: 1, timestamp: 1 };
        const messages = summed ? [summary, ...rest] : rest;
        const cut = findCut(messages, keep);
        if (!cut) return;
        const start = summed ? 1 : 0;
        expect(messages[cut.recentFrom]?.role).not.toBe("toolResult");
        expect([...cut.history, ...cut.turnPrefix]).toEqual(messages.slice(start, cut.recentFrom));
        expect(cut.history.length + cut.turnPrefix.length).toBeGreaterThan(0);
        if (messages[cut.recentFrom]?.role === "user") expect(cut.turnPrefix).toEqual([]);
      }),
    );
  });

  test("prunes old results, but not the newest, not for small savings, and no current file content", () => {
    const long = 80_000;
    const messages = [
      callMessage("1", "bash", ""),
      result("1", "bash", long),
      callMessage("2", "read", "recent.ts"),
      result("2", "read", long),
      callMessage("3", "read", "changed.ts"),
      result("3", "read", long),
      callMessage("4", "edit", "changed.ts"),
      result("4", "edit", 10),
      callMessage("5", "bash", ""),
      result("5", "bash", 160_000),
    ];
    expect(findPrunable(messages)).toEqual([1, 5]);
    expect(findPrunable(messages.slice(2, 8))).toEqual([]);
    expect(findPrunable(messages, { protect: 40_000, least: 1e9 })).toEqual([]);
  });

  test("tracks files across compactions and ignores failed calls", () => {
    const messages: AgentMessage[] = [
      callMessage("1", "read", "a.ts"),
      callMessage("2", "edit", "b.ts"),
      callMessage("3", "write", "c.ts"),
      { ...result("3", "write", 1), isError: true },
    ];
    expect(touchedFiles(messages, { readFiles: ["b.ts", "z.ts"], modifiedFiles: ["y.ts"] })).toEqual({
      readFiles: ["a.ts", "z.ts"],
      modifiedFiles: ["b.ts", "y.ts"],
    });
  });
});

const smallSettings = (keep = 50) =>
  settingsWith((settings) => {
    settings.compaction.keepRecentTokens = keep;
  });

describe("a session that grows", () => {
  test("refuses to compact while it is small", async () => {
    const { session, events } = await startSession(new FakeModel());
    await expect(session.compact()).rejects.toThrow("Nothing to compact (session too small)");
    expect(eventsOf(events, "auto_compaction_end")).toMatchObject([{ skipped: true, aborted: false }]);
  });

  test("is summarised on request, and the summary is updated the next time", async () => {
    const store = createSessionStore({ cwd: "/", inMemory: true });
    const model = new FakeModel({ text: "one ".repeat(100) }, { text: "## Goal\nFirst summary" });
    const { session } = await startSession(model, { store, settings: smallSettings() });
    await session.prompt("first ".repeat(100));
    await session.waitUntilSettled();
    const done = await session.compact("keep the names");
    expect(done).toMatchObject({ summary: expect.stringContaining("First summary"), shortSummary: "First summary" });
    expect(model.requests[1]?.request).toMatchObject({ tools: [] });
    expect(JSON.stringify(model.requests[1]?.request.messages)).toContain("keep the names");
    expect(session.messages().map((each) => each.role)).toEqual(["compactionSummary", "assistant"]);
    model.add({ text: "two ".repeat(100) }, { text: "Second summary" });
    await session.prompt("second ".repeat(100));
    await session.waitUntilSettled();
    await session.compact();
    const asked = JSON.stringify(model.requests.slice(-2).map(({ request }) => request.messages));
    expect(asked).toContain("summary-so-far");
    expect(asked).toContain("First summary");
    expect(asked).not.toContain("first first");
    expect(session.stats()).toMatchObject({ userMessages: 2, assistantMessages: 2 });
    const again = await startSession(new FakeModel(), { store });
    expect(again.session.messages()).toEqual(session.messages());
  });

  test("is compacted automatically between turns, and the run continues", async () => {
    const model = new FakeModel(
      { calls: [{ name: "big" }], tokens: 90_000 },
      { text: "The summary" },
      { text: "finished", tokens: 500 },
    );
    const { session, events } = await startSession(model, {
      settings: smallSettings(),
      tools: [fakeTool("big", () => "y".repeat(600))],
    });
    await session.prompt("x".repeat(800));
    await session.waitUntilSettled();
    expect(eventsOf(events, "auto_compaction_start")).toEqual([
      { type: "auto_compaction_start", reason: "threshold", action: "context-full" },
    ]);
    expect(eventsOf(events, "agent_end").map((each) => each.willRetry)).toEqual([true, false]);
    expect(session.lastAssistantText()).toBe("finished");
    expect(eventsOf(events, "agent_settled")).toHaveLength(1);
    expect(brokenLaws(events)).toEqual([]);
  });

  test("is compacted and retried once after an overflow", async () => {
    const overflow = { fail: { category: "overflow" as const, message: "Too long." } };
    const model = new FakeModel(
      { text: "old ".repeat(100) },
      overflow,
      { text: "The summary" },
      { text: "now it fits" },
    );
    const { session, events } = await startSession(model, { settings: smallSettings() });
    await session.prompt("first");
    await session.waitUntilSettled();
    await session.prompt("second");
    await session.waitUntilSettled();
    expect(eventsOf(events, "auto_compaction_start")).toMatchObject([{ reason: "overflow" }]);
    expect(session.lastAssistantText()).toBe("now it fits");
    expect(session.messages().some((each) => each.role === "assistant" && each.stopReason === "error")).toBe(false);
  });

  test("ends with the error if it never fits", async () => {
    const overflow = { fail: { category: "overflow" as const, message: "Too long." } };
    const model = new FakeModel((request) =>
      request.tools.length === 0 && request.system.length === 1 ? { text: "S" } : overflow,
    );
    model.add(
      ...Array(20).fill((request: { system: readonly string[] }) =>
        request.system.length === 1 ? { text: "S" } : overflow,
      ),
    );
    const { session, events } = await startSession(model, { settings: smallSettings() });
    await session.prompt("first ".repeat(300));
    await session.waitUntilSettled();
    expect(events.at(-1)).toMatchObject({ type: "agent_settled", reason: "error" });
    expect(brokenLaws(events)).toEqual([]);
  });

  test("switches to a larger model first if enabled, without storing it as the user's choice", async () => {
    const store = createSessionStore({ cwd: "/", inMemory: true });
    const settings = settingsWith((each) => {
      each.contextPromotion.enabled = true;
    });
    const model = new FakeModel({ fail: { category: "overflow", message: "Too long." } }, { text: "room enough" });
    const registry = fakeRegistry([MODEL, LARGE, OTHER], LARGE);
    const { session, events } = await startSession(model, { store, settings, registry });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(eventsOf(events, "context_promoted")).toEqual([
      { type: "context_promoted", from: "fake/small", to: "fake/large" },
    ]);
    expect(eventsOf(events, "auto_compaction_start")).toEqual([]);
    expect(session.lastAssistantText()).toBe("room enough");
    expect(store.branch().model).toBe("fake/small");
  });

  test("stays unchanged when a compaction is aborted", async () => {
    const model = new FakeModel({ text: "old ".repeat(100) }, { hang: true });
    const started = await startSession(model, { settings: smallSettings() });
    await started.session.prompt("first");
    await started.session.waitUntilSettled();
    const before = started.session.messages();
    const compacting = started.session.compact();
    await waitForEvent(started, (each) => each.type === "auto_compaction_start");
    expect(started.session.state().isCompacting).toBe(true);
    const refused = expect(compacting).rejects.toThrow("Compaction cancelled");
    await started.session.abort();
    await refused;
    expect(started.session.messages()).toEqual(before);
    expect(eventsOf(started.events, "auto_compaction_end")).toMatchObject([{ aborted: true }]);
  });

  test("drops pruned results from the conversation but not from the file, also after a reopen", async () => {
    const store = createSessionStore({ cwd: "/", inMemory: true });
    const longText = () => "z\n".repeat(24_000);
    const model = new FakeModel(
      ...Array(7).fill({ calls: [{ name: "big" }] }),
      { calls: [{ name: "big" }], tokens: 90_000 },
      { text: "done", tokens: 10 },
    );
    const { session, events } = await startSession(model, { store, tools: [fakeTool("big", longText)] });
    await session.prompt("go");
    await session.waitUntilSettled();
    const countPruned = (messages: readonly AgentMessage[]) =>
      messages.filter((each) => each.role === "toolResult" && each.prunedAt !== undefined).length;
    expect(eventsOf(events, "auto_compaction_start")).toEqual([]);
    expect(countPruned(session.messages())).toBeGreaterThan(1);
    const whole = store.entries().filter((each) => each.type === "message" && JSON.stringify(each).length > 40_000);
    expect(whole).toHaveLength(8);
    const again = await startSession(new FakeModel(), { store });
    expect(countPruned(again.session.messages())).toBe(countPruned(session.messages()));
  });

  test("continues a handoff in a new session that starts with the document", async () => {
    const model = new FakeModel({ text: "worked" }, { text: "## Goal\nContinue the task" }, { text: "continuing" });
    const { session } = await startSession(model);
    await session.prompt("start");
    await session.waitUntilSettled();
    const { id } = session;
    await session.handoff();
    expect(session.id).not.toBe(id);
    expect(session.messages()).toMatchObject([
      { role: "custom", customType: "handoff", content: "## Goal\nContinue the task" },
    ]);
    await session.prompt("and?");
    await session.waitUntilSettled();
    expect(model.requests.at(-1)?.request.messages).toHaveLength(2);
  });

  test("is compacted after inactivity if enabled", async () => {
    const settings = smallSettings();
    Object.assign(settings.compaction, { idleEnabled: true, idleThresholdTokens: 100, idleTimeoutSeconds: 0 });
    const model = new FakeModel({ text: "old ".repeat(100), tokens: 500 }, { text: "The summary" });
    const started = await startSession(model, { settings });
    await started.session.prompt("first");
    await waitForEvent(started, (each) => each.type === "auto_compaction_end");
    expect(eventsOf(started.events, "auto_compaction_start")).toMatchObject([{ reason: "idle" }]);
    expect(started.session.messages()[0]).toMatchObject({ role: "compactionSummary" });
  });
});
