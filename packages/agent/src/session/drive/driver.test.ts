import type { ProviderFailure } from "@gantry/models";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../contract/events.ts";
import { createSessionStore } from "../../session-files/open.ts";
import {
  brokenLaws,
  FakeModel,
  fakeCredentials,
  fakeTool,
  type Reply,
  settingsWith,
  startSession,
  waitForEvent,
} from "../testing/fakes.fake.ts";
import { planRetry } from "./retry.ts";

const busy: ProviderFailure = { category: "overloaded", message: "Too many of you." };
const eventsOf = <Type extends AgentEvent["type"]>(events: AgentEvent[], type: Type) =>
  events.filter((each): each is Extract<AgentEvent, { type: Type }> => each.type === type);

describe("a retry", () => {
  test("follows a transient failure; the failed answer stays in the file but leaves the conversation", async () => {
    const store = createSessionStore({ cwd: "/", inMemory: true });
    const model = new FakeModel({ text: "half an ans", fail: busy }, { fail: busy }, { text: "whole" });
    const { session, events } = await startSession(model, { store });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(session.messages().map((each) => each.role)).toEqual(["user", "assistant"]);
    expect(store.entries().filter((each) => each.type === "message" && each.message.role === "assistant")).toHaveLength(
      3,
    );
    expect(eventsOf(events, "auto_retry_start").map((each) => [each.attempt, each.delayMs])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(eventsOf(events, "auto_retry_end")).toEqual([{ type: "auto_retry_end", success: true, attempt: 2 }]);
    expect(eventsOf(events, "agent_end").map((each) => each.willRetry)).toEqual([true, true, false]);
    expect(eventsOf(events, "agent_settled")).toEqual([{ type: "agent_settled", reason: "completed" }]);
    expect(model.requests[2]?.request.messages).toHaveLength(1);
    expect(session.stats().assistantMessages).toBe(1);
    expect(brokenLaws(events)).toEqual([]);
  });

  test("ends after the third attempt", async () => {
    const { session, events } = await startSession(new FakeModel(...Array(9).fill({ fail: busy })));
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(eventsOf(events, "auto_retry_start")).toHaveLength(3);
    expect(eventsOf(events, "auto_retry_end")).toEqual([
      { type: "auto_retry_end", success: false, attempt: 3, finalError: "Too many of you." },
    ]);
    expect(events.at(-1)).toEqual({ type: "agent_settled", reason: "error", errorMessage: "Too many of you." });
  });

  test("can be cancelled while it waits, also by an abort", async () => {
    for (const how of ["abortRetry", "abort"] as const) {
      const settings = settingsWith((each) => {
        each.retry.baseDelayMs = 3_600_000;
        each.retry.maxDelayMs = 3_600_000;
      });
      const started = await startSession(new FakeModel({ fail: busy }), { settings });
      await started.session.prompt("go");
      await waitForEvent(started, (each) => each.type === "auto_retry_start");
      await started.session[how]();
      await started.session.waitUntilSettled();
      expect(eventsOf(started.events, "auto_retry_end")).toMatchObject([
        { success: false, finalError: "Retry cancelled" },
      ]);
      expect(started.events.at(-1)).toMatchObject({ reason: how === "abort" ? "aborted" : "error" });
    }
  });

  test("does not follow a permanent failure", async () => {
    for (const category of ["invalid", "refused", "unknown", "quota"] as const) {
      const { session, events, model } = await startSession(new FakeModel({ fail: { category, message: "No." } }));
      await session.prompt("go");
      await session.waitUntilSettled();
      expect(model.requests).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: "agent_settled", reason: "error", errorMessage: "No." });
    }
  });

  test("respects the server's delay up to the maximum and doubles its own delay", () => {
    const settings = { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 300_000 };
    expect(planRetry(busy, 0, settings)).toEqual({ retry: true, delayMs: 2_000 });
    expect(planRetry(busy, 2, settings)).toEqual({ retry: true, delayMs: 8_000 });
    expect(planRetry({ ...busy, retryAfterMs: 60_000 }, 0, settings)).toEqual({ retry: true, delayMs: 60_000 });
    expect(planRetry({ ...busy, retryAfterMs: 300_001 }, 0, settings)).toEqual({ retry: false });
    expect(planRetry(busy, 3, settings)).toEqual({ retry: false });
    fc.assert(
      fc.property(fc.nat(20), fc.nat(1e7), (attempt, retryAfterMs) => {
        const plan = planRetry({ ...busy, retryAfterMs }, attempt, { ...settings, maxRetries: 100 });
        expect(plan.retry).toBe(retryAfterMs <= settings.maxDelayMs);
        if (plan.retry) expect(plan.delayMs).toBeLessThanOrEqual(settings.maxDelayMs);
        if (plan.retry) expect(plan.delayMs).toBeGreaterThanOrEqual(retryAfterMs);
      }),
    );
  });
});

describe("another credential", () => {
  test("is used at once when the first is refused, without counting as a retry", async () => {
    const credentials = fakeCredentials("old", "new");
    const model = new FakeModel({ fail: { category: "auth", message: "Unauthorized." } }, { text: "welcome" });
    const { session, events } = await startSession(model, { credentials });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(model.requests.map(({ request }) => request.credential)).toEqual([
      { kind: "key", key: "old" },
      { kind: "key", key: "new" },
    ]);
    expect(eventsOf(events, "auto_retry_start")).toEqual([]);
    expect(eventsOf(events, "agent_start")).toHaveLength(1);
    expect(credentials.reports.map(([, outcome]) => (outcome === "ok" ? "ok" : "refused"))).toEqual(["refused", "ok"]);
  });

  test("is tried once each before the refusal ends the run", async () => {
    const { session, events, model } = await startSession(
      new FakeModel(...Array(5).fill({ fail: { category: "auth", message: "Unauthorized." } })),
      { credentials: fakeCredentials("a", "b") },
    );
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(model.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ reason: "error", errorMessage: "Unauthorized." });
  });
});

describe("a fallback model", () => {
  const chain = settingsWith((settings) => {
    settings.retry.fallbackChains = { default: ["fake/small", "elsewhere/other"] };
  });

  test("takes over with an event, and the first model returns after its cooldown", async () => {
    const model = new FakeModel({ fail: { ...busy, retryAfterMs: 0 } }, { text: "I am the other" }, { text: "back" });
    const { session, events } = await startSession(model, { settings: chain });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(eventsOf(events, "retry_fallback_applied")).toEqual([
      { type: "retry_fallback_applied", from: "fake/small", to: "elsewhere/other", role: "default" },
    ]);
    expect(eventsOf(events, "retry_fallback_succeeded")).toEqual([
      { type: "retry_fallback_succeeded", model: "elsewhere/other", role: "default" },
    ]);
    await session.prompt("again");
    await session.waitUntilSettled();
    expect(model.requests.map(({ model: { id } }) => id)).toEqual(["small", "other", "small"]);
  });

  test("stays if the settings never revert", async () => {
    const model = new FakeModel({ fail: { ...busy, retryAfterMs: 0 } });
    const settings = structuredClone(chain);
    settings.retry.fallbackRevertPolicy = "never";
    const { session } = await startSession(model, { settings });
    await session.prompt("go");
    await session.waitUntilSettled();
    await session.prompt("again");
    await session.waitUntilSettled();
    expect(model.requests.map(({ model: { id } }) => id)).toEqual(["small", "other", "other"]);
  });
});

describe("laws", () => {
  type Step = { kind: "prompt" | "steer" | "followUp" | "abort" | "wait" | "release"; turns: number };
  const reply: fc.Arbitrary<Reply> = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Reply>({ text: "text" }) },
    { weight: 3, arbitrary: fc.constant<Reply>({ calls: [{ name: "quick" }, { name: "gated" }, { name: "alone" }] }) },
    fc.constant<Reply>({ text: "stuck", hang: true }),
    fc.constant<Reply>({ fail: busy, calls: [{ name: "quick" }] }),
    fc.constant<Reply>({ fail: { category: "invalid", message: "No." } }),
    fc.constant<Reply>({ text: "" }),
    fc.constant<Reply>({
      calls: [
        { id: "same", name: "quick" },
        { id: "same", name: "unknown" },
      ],
    }),
    fc.constant<Reply>({ calls: [{ name: "quick" }], stop: "length" }),
  );
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom("prompt", "steer", "followUp", "abort", "wait", "release"),
    turns: fc.nat(30),
  });

  test("always pairs starts with ends, gives each call one result, and settles once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { maxLength: 8 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (replies, steps) => {
          const gates: (() => void)[] = [];
          const gated = fakeTool(
            "gated",
            ({ signal }) =>
              new Promise<string>((resolve) => {
                gates.push(() => resolve("let through"));
                if (signal.aborted) resolve("stopped");
                signal.addEventListener("abort", () => resolve("stopped"));
              }),
          );
          const tools = [
            fakeTool("quick", () => "q"),
            gated,
            fakeTool("alone", () => "a", { concurrency: "exclusive" }),
          ];
          const { session, events } = await startSession(new FakeModel(...replies), { tools });
          let runs = 0;
          for (const { kind, turns } of steps) {
            if (kind === "prompt" || kind === "steer" || kind === "followUp") {
              const behaviour = kind === "prompt" ? {} : { streamingBehavior: kind };
              const done = await session.prompt("x", behaviour).catch(() => "refused");
              if (done === "started") runs += 1;
            }
            if (kind === "abort") await session.abort();
            if (kind === "release") for (const open of gates.splice(0)) open();
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          }
          await session.abort();
          await session.waitUntilSettled();
          expect(brokenLaws(events)).toEqual([]);
          expect(eventsOf(events, "agent_settled")).toHaveLength(runs);
          expect(findUnanswered(session.messages())).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Calls without exactly one result right after their answer. */
function findUnanswered(messages: readonly { role: string }[]): string[] {
  const problems: string[] = [];
  let waiting: string[] = [];
  for (const message of messages as { role: string; toolCallId?: string; content: { type: string; id: string }[] }[]) {
    if (message.role === "toolResult") {
      const place = waiting.indexOf(message.toolCallId ?? "");
      if (place < 0) problems.push(`a result of no call: ${message.toolCallId}`);
      else waiting.splice(place, 1);
      continue;
    }
    problems.push(...waiting.map((id) => `no result: ${id}`));
    waiting =
      message.role === "assistant"
        ? message.content.flatMap((each) => (each.type === "toolCall" ? [each.id] : []))
        : [];
  }
  return [...problems, ...waiting.map((id) => `no result: ${id}`)];
}
