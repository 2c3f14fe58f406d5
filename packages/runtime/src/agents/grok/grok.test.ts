import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mode } from "@gantry/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeConversation } from "../acp/testing/conversation.ts";
import type { LaunchOptions } from "../contract.ts";
import { grok } from "./descriptor.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "grok 'gate' "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = (mode: Mode): LaunchOptions => ({ cwd: "/p", mode, uuid: "u", dir: folder });
const launch = (mode: Mode) => {
  const started = grok.channels[0]?.launch(options(mode));
  if (!started) throw new Error("no channel");
  return started;
};

/** The decision of the mode's hook about a call of this tool; `none` leaves the call to Grok. */
function decide(mode: Mode, tool: string, permissionMode: string, input: object = {}): string {
  for (const [name, text] of Object.entries(launch(mode).files ?? {})) writeFileSync(join(folder, name), text);
  const event = { hookEventName: "pre_tool_use", cwd: "/p", permissionMode, toolName: tool, toolInput: input };
  const out = execFileSync("sh", [join(folder, "grok-gate.sh")], { input: JSON.stringify(event), encoding: "utf8" });
  return out === "" ? "none" : (JSON.parse(out) as { decision: string }).decision;
}

it("passes its options before the transport", () => {
  expect(launch("ask").args).toEqual([
    ...["agent", "--no-leader", "--agent-profile", join(folder, "grok-agent.md"), "stdio"],
  ]);
  expect(launch("full-auto").args).toEqual(["agent", "--no-leader", "--always-approve", "stdio"]);
  expect(launch("inherit").args).toEqual(["agent", "--no-leader", "stdio"]);
});

it.each(["default", "bypassPermissions", "auto"])(
  "asks about every edit and command, also in Grok's mode %s",
  (native) => {
    for (const tool of ["write", "search_replace", "run_terminal_command", "spawn_subagent", "lamp__read", "unknown"]) {
      expect(decide("ask", tool, native)).toBe("ask");
    }
    expect(decide("ask", "read_file", native)).toBe("none");
  },
);

it("refuses everything but reading in plan mode, and leaves edits to Grok's own rule", () => {
  for (const tool of ["run_terminal_command", "spawn_subagent", "lamp__read", "unknown"]) {
    expect(decide("plan", tool, "plan")).toBe("deny");
  }
  for (const tool of ["read_file", "exit_plan_mode", "write"]) expect(decide("plan", tool, "plan")).toBe("none");
});

it("edits freely and asks about commands in auto-edit", () => {
  expect(launch("auto-edit").args).toContain("--always-approve");
  expect(decide("auto-edit", "write", "bypassPermissions")).toBe("none");
  expect(decide("auto-edit", "run_terminal_command", "bypassPermissions")).toBe("ask");
});

it("is not misled by the input of a tool, which the model writes", () => {
  const input = { command: 'x "toolName":"read_file"', toolName: "read_file", nested: { toolName: "grep" } };
  expect(decide("ask", "run_terminal_command", "default", input)).toBe("ask");
  expect(decide("plan", "run_terminal_command", "plan", input)).toBe("deny");
});

it("quotes the path of the hook", () => {
  expect(launch("ask").files?.["grok-agent.md"]).toContain("'\\\\''gate'\\\\''");
});

it("starts a turn without a message when background work wakes the agent", () => {
  const conversation = FakeConversation.open(grok);
  const queue = { method: "_x.ai/queue/changed", params: { entries: [], runningPromptId: "task-completed-1" } };
  expect(conversation.receive(queue)).toContainEqual({ kind: "begin" });
  const update = { sessionUpdate: "turn_completed", prompt_id: "task-completed-1", stop_reason: "end_turn" };
  conversation.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "It is done." } });
  const ended = conversation.receive({ method: "_x.ai/session_notification", params: { update } });
  expect(ended).toContainEqual(expect.objectContaining({ kind: "finish", outcome: "completed" }));
});

it("counts the tokens in the context once, also if a version adds a sum", () => {
  const conversation = FakeConversation.startTurn(grok);
  const usage = {
    input_tokens: 100,
    output_tokens: 10,
    cache_read_input_tokens: 5,
    reasoning_tokens: 4,
    total_tokens: 115,
  };
  const params = { update: { sessionUpdate: "response_completed", usage } };
  const outputs = conversation.receive({ method: "_x.ai/session_notification", params });
  expect(outputs).toMatchObject([{ event: { type: "context.usage", data: { used: 115 } } }]);
});

it("ends a turn without a message if the end does not name it", () => {
  const conversation = FakeConversation.open(grok);
  conversation.receive({ method: "_x.ai/queue/changed", params: { entries: [], runningPromptId: "task-1" } });
  conversation.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } });
  const params = { update: { sessionUpdate: "turn_completed", stop_reason: "end_turn" } };
  const ended = conversation.receive({ method: "_x.ai/session_notification", params });
  expect(ended).toContainEqual(expect.objectContaining({ kind: "finish", outcome: "completed" }));
});

it("keeps an unknown update as a raw event", () => {
  const params = { update: { sessionUpdate: "brand_new" } };
  expect(FakeConversation.open(grok).receive({ method: "_x.ai/session_notification", params })).toEqual([
    expect.objectContaining({ kind: "event", event: expect.objectContaining({ type: "raw" }) }),
  ]);
});

it("does not throw for any params", () => {
  for (const method of [
    "session_notification",
    "task_completed",
    "queue/changed",
    "exit_plan_mode",
    "ask_user_question",
  ]) {
    for (const params of [{}, { update: 3 }, { update: { sessionUpdate: "task_completed", task_snapshot: [] } }]) {
      const conversation = FakeConversation.startTurn(grok);
      expect(() => conversation.receive({ method: `_x.ai/${method}`, params })).not.toThrow();
      expect(() => conversation.receive({ id: 4, method: `_x.ai/${method}`, params })).not.toThrow();
    }
  }
});

it("remembers a bounded number of subagents' sessions", () => {
  const conversation = FakeConversation.startTurn(grok);
  for (let index = 0; index < 120; index++) {
    const update = { sessionUpdate: "subagent_spawned", subagent_id: `s${index}`, child_session_id: `c${index}` };
    conversation.receive({ method: "_x.ai/session_notification", params: { update } });
  }
  expect(conversation.state.foreign).toHaveLength(100);
});
