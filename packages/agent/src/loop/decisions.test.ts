import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentMessage } from "../contract/messages.ts";
import type { Guard, Person } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { Tool } from "../contract/tool.ts";
import type { Approval, ApprovalRequest } from "../permissions/action.ts";
import {
  brokenLaws,
  FakeModel,
  fakeRegistry,
  fakeTool,
  MODEL,
  startSession,
  waitForEvent,
} from "../session/testing/fakes.fake.ts";
import type { SessionHandle } from "../session/tools/equipment.ts";
import { defineTool } from "../tools/define.ts";
import { resolveTool } from "../tools/resolve/tool.ts";
import { canForce } from "./previews.ts";

const results = (messages: readonly AgentMessage[]) =>
  messages.flatMap((each) =>
    each.role === "toolResult" ? [each.content.map((block) => (block.type === "text" ? block.text : "")).join("")] : [],
  );
const eventsOf = <Type extends AgentEvent["type"]>(events: AgentEvent[], type: Type) =>
  events.filter((each): each is Extract<AgentEvent, { type: Type }> => each.type === type);

/** Declares a write action without writing. */
function writer(ran: string[]): Tool {
  return defineTool({
    name: "write",
    label: "Write",
    description: "write",
    schema: z.object({ path: z.string() }),
    actions: ({ path }) => [{ kind: "file.write", path }],
    preview: async ({ path }) => `+ ${path}`,
    run: async ({ path }) => {
      ran.push(path);
      return `wrote ${path}`;
    },
  });
}

function person(...approvals: Approval[]): Person & { asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    approve: async (request) => {
      asked.push(request);
      return approvals.shift() ?? { decision: "deny" };
    },
    ask: async () => undefined,
  };
}

const write = (path: string) => ({ calls: [{ name: "write", args: { path } }] });

describe("permission", () => {
  test("requests approval with a preview, which can be denied with a reason or granted once or for the session", async () => {
    const ran: string[] = [];
    const approver = person({ decision: "deny", reason: "Not there." }, { decision: "once" }, { decision: "session" });
    const model = new FakeModel(write("/a/1"), write("/a/2"), write("/a/3"), write("/a/4"));
    const { session } = await startSession(model, { tools: [writer(ran)], person: approver, mode: "ask", cwd: "/a" });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(ran).toEqual(["/a/2", "/a/3", "/a/4"]);
    expect(approver.asked).toHaveLength(3);
    expect(approver.asked[0]).toMatchObject({ toolName: "write", preview: "+ /a/1", args: { path: "/a/1" } });
    expect(results(session.messages())[0]).toBe("The user declined this call. Not there.");
  });

  test("lets the person change the arguments and reports invalid ones to the model", async () => {
    const ran: string[] = [];
    const approver = person({ decision: "once", args: { path: "/a/other" } }, { decision: "once", args: { path: 7 } });
    const model = new FakeModel(write("/a/1"), write("/a/2"));
    const { session } = await startSession(model, { tools: [writer(ran)], person: approver, mode: "ask", cwd: "/a" });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(ran[0]).toBe("/a/other");
    expect(ran).not.toContain("/a/2");
  });

  test("denies approval in plan mode and without a person", async () => {
    for (const mode of ["plan", "ask"] as const) {
      const ran: string[] = [];
      const { session } = await startSession(new FakeModel(write("/a/1")), { tools: [writer(ran)], mode, cwd: "/a" });
      await session.prompt("go");
      await session.waitUntilSettled();
      expect(ran).toEqual([]);
      expect(results(session.messages())[0]).toMatch(/^Not allowed/);
    }
  });

  test("asks about two calls one at a time and stops asking on abort", async () => {
    let open = 0;
    const seen: number[] = [];
    const approver: Person = {
      approve: (_, signal) =>
        new Promise((_resolve, reject) => {
          open += 1;
          seen.push(open);
          signal.addEventListener("abort", () => reject(new Error("gone")));
        }),
      ask: async () => undefined,
    };
    const model = new FakeModel({
      calls: [
        { name: "write", args: { path: "/a/1" } },
        { name: "write", args: { path: "/a/2" } },
      ],
    });
    const started = await startSession(model, { tools: [writer([])], person: approver, mode: "ask", cwd: "/a" });
    await started.session.prompt("go");
    await waitForEvent(started, (each) => each.type === "tool_execution_start");
    while (open === 0) await new Promise((resolve) => setImmediate(resolve));
    await started.session.abort();
    expect(seen).toEqual([1]);
    expect(results(started.session.messages())).toHaveLength(2);
    expect(brokenLaws(started.events)).toEqual([]);
  });
});

describe("a guard", () => {
  const guard = (more: Partial<Guard>): Guard => ({
    beforeRequest: () => ({}),
    beforeTool: () => ({}),
    recordUsage: () => undefined,
    ...more,
  });

  test("refuses a single call with a reason, or ends the run at once", async () => {
    const ran: string[] = [];
    const model = new FakeModel(
      { calls: [{ name: "a" }] },
      { calls: [{ name: "stop" }, { name: "a" }] },
      { text: "never sent" },
    );
    const tools = ["a", "stop"].map((name) => fakeTool(name, () => `${ran.push(name)}`, { concurrency: "exclusive" }));
    const { session, events } = await startSession(model, {
      tools,
      guard: guard({
        beforeTool: (name) => (name === "stop" ? { refused: "Used up.", stop: true } : { refused: "Not in scope." }),
      }),
    });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(ran).toEqual([]);
    expect(results(session.messages())).toEqual(["Not in scope.", "Used up.", "Used up."]);
    expect(model.requests).toHaveLength(2);
    expect(events.at(-1)).toEqual({ type: "agent_settled", reason: "budget", errorMessage: "Used up." });
  });

  test("stops before a request, keeps the user's message, and receives the usage", async () => {
    const spent: number[] = [];
    let allowed = 1;
    const { session, events, model } = await startSession(new FakeModel({ text: "one", tokens: 77 }), {
      guard: guard({
        beforeRequest: () => (allowed-- > 0 ? {} : { refused: "No more tokens.", stop: true }),
        recordUsage: ({ tokens }) => spent.push(tokens),
      }),
    });
    await session.prompt("first");
    await session.waitUntilSettled();
    await session.prompt("second");
    await session.waitUntilSettled();
    expect(spent).toEqual([77]);
    expect(model.requests).toHaveLength(1);
    expect(session.messages().at(-1)).toMatchObject({ role: "user", content: "second" });
    expect(events.at(-1)).toMatchObject({ reason: "budget", errorMessage: "No more tokens." });
  });
});

describe("a preview", () => {
  const previews =
    (applied: string[], label = "rename x") =>
    (own: SessionHandle) => {
      const preview = fakeTool("preview", ({ pend }, { value }) => {
        pend({
          label: value ?? label,
          sourceTool: "preview",
          apply: async (reason) => {
            applied.push(reason);
            return { content: [{ type: "text", text: "applied" }] };
          },
        });
        return "previewed";
      });
      return { tools: () => [preview, resolveTool(own.pending)] };
    };

  test("forces the model to decide, repeats the request otherwise, and offers resolve only while a preview is pending", async () => {
    const applied: string[] = [];
    const decide = { calls: [{ name: "resolve", args: { action: "apply", reason: "it is right" } }] };
    const model = new FakeModel({ calls: [{ name: "preview" }] }, { text: "I would rather talk" }, decide, {
      text: "done",
    });
    const { session } = await startSession(model, { equip: previews(applied) });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(applied).toEqual(["it is right"]);
    expect(model.requests.map(({ request }) => request.toolChoice)).toEqual([
      undefined,
      { name: "resolve" },
      { name: "resolve" },
      undefined,
    ]);
    expect(model.requests.map(({ request }) => request.tools.some(({ name }) => name === "resolve"))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(JSON.stringify(model.requests[1]?.request.messages.at(-1))).toContain("rename x");
  });

  test("falls back to a reminder if the model or the provider does not support forced tool choice", async () => {
    const bound = { ...MODEL, compat: { toolChoiceSupport: "auto" as const } };
    const model = new FakeModel({ calls: [{ name: "preview" }] });
    const { session } = await startSession(model, { equip: previews([]), registry: fakeRegistry([bound]) });
    await session.prompt("go");
    await session.waitUntilSettled();
    expect(model.requests.every(({ request }) => request.toolChoice === undefined)).toBe(true);
    expect(JSON.stringify(model.requests[1]?.request.messages.at(-1))).toContain("rename x");
    expect(canForce({ ...MODEL, compat: { supportsForcedToolChoice: false } })).toBe(false);

    const refusing = new FakeModel(
      { calls: [{ name: "preview" }] },
      { fail: { category: "invalid", message: "tool_choice is not supported" } },
      { calls: [{ name: "resolve", args: { action: "discard", reason: "no" } }] },
    );
    const second = await startSession(refusing, { equip: previews([]) });
    await second.session.prompt("go");
    await second.session.waitUntilSettled();
    expect(refusing.requests[2]?.request.toolChoice).toBeUndefined();
    expect(second.events.at(-1)).toMatchObject({ reason: "completed" });
  });
});

describe("a rule", () => {
  function rules(keep: boolean): Rules & { restored: (readonly string[])[] } {
    let fired = false;
    const restored: (readonly string[])[] = [];
    return {
      restored,
      system: () => ["Always be kind."],
      problems: [],
      watch: {
        begin: () => undefined,
        feed: (piece) => {
          if (fired || piece.type !== "text_delta" || !piece.delta.includes("bad")) return undefined;
          fired = true;
          return { text: "Do not write bad.", rules: [{ name: "kind", path: "/r" }], keep };
        },
        end: () => undefined,
      },
      injectFor: () => undefined,
      restore: (names) => restored.push(names),
      urls: { read: async () => ({ text: "" }) },
      list: () => [],
    };
  }

  test("interrupts the stream, injects the rule, and asks the model again", async () => {
    for (const keep of [false, true]) {
      const model = new FakeModel({ text: "This bad thing" }, { text: "so good" });
      const { session, events } = await startSession(model, { rules: rules(keep) });
      await session.prompt("go");
      await session.waitUntilSettled();
      expect(eventsOf(events, "ttsr_triggered")).toMatchObject([{ rules: [{ name: "kind" }] }]);
      expect(model.requests[0]?.request.signal.aborted).toBe(true);
      expect(model.requests[1]?.request.messages.map((each) => each.role)).toEqual(
        keep ? ["user", "assistant", "developer"] : ["user", "developer"],
      );
      expect(model.requests[0]?.request.system.join("\n")).toContain("Always be kind.");
      expect(session.lastAssistantText()).toBe("so good");
      expect(brokenLaws(events)).toEqual([]);
    }
  });
});
