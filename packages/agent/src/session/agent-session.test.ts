import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentMessage } from "../contract/messages.ts";
import { brokenLaws, FakeModel, fakeTool, settingsWith, startSession, waitForEvent } from "./testing/fakes.fake.ts";

const texts = (events: AgentEvent[]) => events.flatMap((each) => (each.type === "notice" ? [each.message] : []));
const kinds = (events: AgentEvent[]) => events.map((each) => each.type).filter((type) => type !== "message_update");
const results = (messages: readonly AgentMessage[]) =>
  messages.flatMap((each) =>
    each.role === "toolResult" ? [each.content.map((block) => (block.type === "text" ? block.text : "")).join("")] : [],
  );

describe("a session", () => {
  test("streams an answer with events in the documented order", async () => {
    const { session, events } = await startSession(new FakeModel({ text: "Hello there" }));
    expect(await session.prompt("hi", { id: "p1" })).toBe("started");
    await session.waitUntilSettled();
    expect(kinds(events)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
      "agent_settled",
    ]);
    expect(events.find((each) => each.type === "message_start")).toMatchObject({ promptId: "p1" });
    const deltas = events.flatMap((each) =>
      each.type === "message_update" && each.piece.type === "text_delta" ? [each.piece.delta] : [],
    );
    expect(deltas.join("")).toBe("Hello there");
    expect(session.lastAssistantText()).toBe("Hello there");
    expect(events.at(-1)).toEqual({ type: "agent_settled", reason: "completed" });
  });

  test("runs tools and continues with their results", async () => {
    const model = new FakeModel({ calls: [{ name: "echo", args: { value: "a" } }] }, { text: "I saw it" });
    const { session, events } = await startSession(model, {
      tools: [
        fakeTool("echo", ({ progress }, { value }) => {
          progress("piece");
          return `result ${value}`;
        }),
      ],
    });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(results(session.messages())).toEqual(["result a"]);
    expect(model.requests[1]?.request.messages.map((each) => each.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(events.find((each) => each.type === "tool_execution_update")).toMatchObject({ delta: "piece", offset: 0 });
    expect(brokenLaws(events)).toEqual([]);
  });

  test("refuses a second prompt during a run, unless it is queued", async () => {
    const started = await startSession(new FakeModel({ text: "…", hang: true }));
    const { session } = started;
    await session.prompt("one");
    await expect(session.prompt("two")).rejects.toThrow("Agent is already processing");
    expect(await session.prompt("two", { streamingBehavior: "followUp" })).toBe("queued");
    expect(session.state()).toMatchObject({ isStreaming: true, queuedMessageCount: 1 });
    await session.abort();
    expect(session.state()).toMatchObject({ isStreaming: false, queuedMessageCount: 1, heldMessageCount: 1 });
    expect(started.events.at(-1)).toEqual({ type: "agent_settled", reason: "aborted" });
    expect(session.clearQueue()).toEqual({ steering: [], followUp: ["two"] });
  });

  test("holds queued messages after a stop, past another prompt, until they are resumed", async () => {
    const model = new FakeModel({ text: "…", hang: true }, { text: "b" }, { text: "c" }, { text: "d" });
    const { session } = await startSession(model);
    const prompts = () => session.messages().flatMap((each) => (each.role === "user" ? [each.content] : []));
    await session.prompt("one");
    await session.steer("steer", { id: "msg_1" });
    await session.followUp("two", { id: "msg_2" });
    await session.followUp("three", { id: "msg_3" });
    await session.abort();
    await session.prompt("now");
    await session.waitUntilSettled();
    expect(JSON.stringify(prompts())).not.toMatch(/steer|two|three/);
    expect(session.state()).toMatchObject({ heldMessageCount: 3 });
    expect([session.cancelMessage("msg_2"), session.cancelMessage("msg_2")]).toEqual([true, false]);
    await session.resumeQueue();
    await session.waitUntilSettled();
    expect(JSON.stringify(prompts())).toMatch(/one.*now.*steer.*three/);
    expect(session.state()).toMatchObject({ heldMessageCount: 0, queuedMessageCount: 0 });
  });

  test("delivers follow-ups after the run, one at a time or all at once", async () => {
    for (const mode of ["one-at-a-time", "all"] as const) {
      const release = Promise.withResolvers<void>();
      const model = new FakeModel({ calls: [{ name: "wait" }] });
      const started = await startSession(model, {
        tools: [fakeTool("wait", () => release.promise.then(() => "ok"))],
      });
      const { session, events } = started;
      session.setFollowUpMode(mode);
      await session.prompt("go");
      await waitForEvent(started, (each) => each.type === "tool_execution_start");
      await session.followUp("first");
      await session.followUp("second");
      release.resolve();
      await session.waitUntilSettled();
      const asked = model.requests.map(({ request }) => request.messages.filter((each) => each.role === "user").length);
      expect(asked).toEqual(mode === "all" ? [1, 1, 3] : [1, 1, 2, 3]);
      expect(events.filter((each) => each.type === "agent_settled")).toHaveLength(1);
    }
  });

  test("stops running tools and skips pending ones when it is steered", async () => {
    const model = new FakeModel({ calls: [{ name: "slow" }, { name: "alone" }] }, { text: "ok" });
    const ran: string[] = [];
    const started = await startSession(model, {
      tools: [
        fakeTool("slow", ({ signal, progress }) => {
          progress("begun");
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve("cut")));
        }),
        fakeTool("alone", () => `${ran.push("alone")}`, { concurrency: "exclusive" }),
      ],
    });
    const { session, events } = started;
    await session.prompt("go");
    await waitForEvent(started, (each) => each.type === "tool_execution_update");
    expect(await session.steer("rather this")).toBe("queued");
    await session.waitUntilSettled();
    expect(results(session.messages())).toEqual(["cut", "Skipped due to queued user message."]);
    expect(ran).toEqual([]);
    expect(model.requests[1]?.request.messages.at(-1)).toMatchObject({ role: "user", content: "rather this" });
    expect(brokenLaws(events)).toEqual([]);
  });

  test("lets tools finish before steering in interrupt mode wait", async () => {
    const model = new FakeModel({ calls: [{ name: "slow" }, { name: "next" }] }, { text: "ok" });
    const release = Promise.withResolvers<void>();
    const started = await startSession(model, {
      settings: settingsWith((settings) => {
        settings.interruptMode = "wait";
      }),
      tools: [
        fakeTool("slow", () => release.promise.then(() => "whole")),
        fakeTool("next", () => "too", { concurrency: "exclusive" }),
      ],
    });
    await started.session.prompt("go");
    await waitForEvent(started, (each) => each.type === "tool_execution_start");
    await started.session.steer("later");
    release.resolve();
    await started.session.waitUntilSettled();
    expect(results(started.session.messages())).toEqual(["whole", "too"]);
    expect(model.requests[1]?.request.messages.at(-1)).toMatchObject({ role: "user", content: "later" });
  });

  test("runs shared tools concurrently and exclusive ones alone, with results in call order", async () => {
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const model = new FakeModel({ calls: [{ name: "a" }, { name: "b" }, { name: "x" }, { name: "c" }] });
    const { session } = await startSession(model, {
      tools: [
        fakeTool("a", async () => {
          order.push("a+");
          await first.promise;
          order.push("a-");
          return "A";
        }),
        fakeTool("b", () => {
          order.push("b");
          first.resolve();
          return "B";
        }),
        fakeTool(
          "x",
          async () => {
            order.push("x+");
            await Promise.resolve();
            order.push("x-");
            return "X";
          },
          { concurrency: "exclusive" },
        ),
        fakeTool("c", () => {
          order.push("c");
          return "C";
        }),
      ],
    });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(order).toEqual(["a+", "b", "a-", "x+", "x-", "c"]);
    expect(results(session.messages())).toEqual(["A", "B", "X", "C"]);
  });

  test("reports the model's mistakes to the model as error results", async () => {
    const model = new FakeModel({
      calls: [
        { name: "nothing" },
        { name: "echo", invalid: "Unexpected end of input" },
        { name: "echo", args: { value: { no: 1 } } },
        { name: "broken" },
      ],
    });
    const broken = fakeTool("broken", () => {
      throw new TypeError("x is undefined");
    });
    const { session } = await startSession(model, { tools: [fakeTool("echo", () => "no"), broken] });
    await session.prompt("go");
    await session.waitUntilSettled();
    const [unknown, json, invalid, failed] = results(session.messages());
    expect(unknown).toContain('There is no tool named "nothing". The tools are: echo, broken.');
    expect(json).toContain("not valid JSON (Unexpected end of input)");
    expect(invalid).toContain("value");
    expect(failed).toContain("x is undefined");
    expect(session.messages().filter((each) => each.role === "toolResult" && each.isError)).toHaveLength(4);
  });

  test("keeps the conversation valid when a tool is aborted, even if it ignores the signal", async () => {
    const model = new FakeModel({ calls: [{ name: "deaf" }, { name: "deaf" }] });
    const started = await startSession(model, { tools: [fakeTool("deaf", () => new Promise(() => undefined))] });
    await started.session.prompt("go");
    await waitForEvent(started, (each) => each.type === "tool_execution_start");
    await started.session.abort();
    expect(results(started.session.messages())).toHaveLength(2);
    expect(started.events.at(-1)).toEqual({ type: "agent_settled", reason: "aborted" });
    expect(brokenLaws(started.events)).toEqual([]);
  });

  test("does not run a call that was cut off at the output limit", async () => {
    const model = new FakeModel({ calls: [{ name: "echo", args: { value: "half" } }], stop: "length" }, { text: "ok" });
    const ran: string[] = [];
    const { session } = await startSession(model, { tools: [fakeTool("echo", () => `${ran.push("echo")}`)] });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(ran).toEqual([]);
    expect(results(session.messages())[0]).toContain("cut off");
    expect(session.lastAssistantText()).toBe("ok");
  });

  test("repeats the request once after an empty answer, then accepts it with a notice", async () => {
    const model = new FakeModel({ text: "" }, { thinking: "hm" });
    const { session, events } = await startSession(model);
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.request.messages.at(-1)).toMatchObject({ role: "user" });
    expect(texts(events)).toEqual(["The model gave an empty answer."]);
    expect(events.at(-1)).toMatchObject({ type: "agent_settled", reason: "completed" });
  });

  test("names a requested model that does not exist instead of a missing login", async () => {
    const { session } = await startSession(new FakeModel(), { model: "nope/x" });
    await expect(session.prompt("go")).rejects.toThrow(/^There is no model nope\/x\./);
  });

  test("ends the run with instructions if there is no credential", async () => {
    const { session, events } = await startSession(new FakeModel(), {
      credentials: { has: () => false, get: async () => undefined, report: () => undefined, override: () => undefined },
    });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(events.at(-1)).toMatchObject({
      reason: "error",
      errorMessage: expect.stringContaining("gantry auth login"),
    });
  });
});
