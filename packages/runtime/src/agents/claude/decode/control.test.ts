import fc from "fast-check";
import { expect, it } from "vitest";
import type { Frame } from "../../contract.ts";
import { data, outputsOfKind, play } from "../recordings.fake.ts";

const send = (msg: unknown): Frame => ({ dir: "in", msg });
const receive = (msg: unknown): Frame => ({ dir: "out", msg });
const request = (id: string, asked: object) => send({ type: "control_request", request_id: id, request: asked });
const response = (id: unknown, more: object = {}) => ({
  type: "control_response",
  response: { subtype: "success", request_id: id, ...more },
});

const opening = [request("r1", { subtype: "initialize" }), receive(response("r1"))];
const results = fc.constantFrom<object>(
  { response: { cancelled: true, mode: "plan", model: "other" } },
  { subtype: "error", error: "Refused." },
  { response: null },
);

it("stores a response to an unknown request as raw and changes nothing", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "R2", "r2 ")),
      results,
      (id, more) => {
        fc.pre(id !== "r2");
        const { state: before } = play([...opening, request("r2", { subtype: "set_model", model: "m" })]);
        const { outputs, state } = play([receive(response(id, more))], { from: before });
        expect(outputs).toHaveLength(1);
        expect(data(outputs, "raw")).toHaveLength(1);
        expect(state).toEqual(before);
      },
    ),
  );
});

it("stores a repeated response as raw and changes nothing", () => {
  const subtypes = ["initialize", "set_permission_mode", "set_model", "interrupt", "apply_flag_settings", "stop_task"];
  fc.assert(
    fc.property(fc.constantFrom(...subtypes), fc.uuid(), results, (subtype, id, more) => {
      const asked = { subtype, mode: "plan", model: "m", task_id: "t" };
      const { state: before } = play([...opening, request(id, asked), receive(response(id))]);
      const { outputs, state } = play([receive(response(id, more))], { from: before });
      expect(outputs).toHaveLength(1);
      expect(data(outputs, "raw")).toHaveLength(1);
      expect(state).toEqual(before);
    }),
  );
});

it("takes the replay of an answer as its confirmation, once", () => {
  const question = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t1" };
  const answer = response("q1", { response: { behavior: "allow", updatedInput: { command: "ls" } } });
  const asked = receive({ type: "control_request", request_id: "q1", request: question });
  const { state: before } = play([...opening, asked, send(answer)]);
  const first = play([receive(answer)], { from: before });
  expect(first.outputs).toEqual([{ kind: "ack", key: "q1" }]);
  const second = play([receive(answer)], { from: first.state });
  expect(outputsOfKind(second.outputs, "ack")).toEqual([]);
  expect(data(second.outputs, "raw")).toHaveLength(1);
});

it("reports what fills the context, with the kind from the name in older versions", () => {
  const categories = [
    { name: "System prompt", tokens: 11_106, kind: "used" },
    { name: "System tools (deferred)", tokens: 9542 },
    { name: "Autocompact buffer", tokens: 33_000 },
    { name: "Free space", tokens: 952_596 },
    { name: "", tokens: 1 },
    { name: "Broken", tokens: "many" },
    "text",
  ];
  const asked = request("r2", { subtype: "get_context_usage" });
  const answer = receive(response("r2", { response: { categories, totalTokens: 14_404, maxTokens: 1_000_000 } }));
  const { outputs } = play([...opening, asked, answer]);
  expect(data(outputs, "context.usage")).toEqual([
    {
      used: 14_404,
      size: 1_000_000,
      origin: "agent",
      parts: [
        { name: "System prompt", tokens: 11_106, kind: "used" },
        { name: "System tools (deferred)", tokens: 9542, kind: "deferred" },
        { name: "Autocompact buffer", tokens: 33_000, kind: "buffer" },
        { name: "Free space", tokens: 952_596, kind: "free" },
      ],
    },
  ]);
  expect(data(outputs, "raw")).toEqual([]);
});

it("notes that the context is unknown for any other answer to the question about it", () => {
  fc.assert(
    fc.property(results, (more) => {
      const asked = request("r2", { subtype: "get_context_usage" });
      const { outputs } = play([...opening, asked, receive(response("r2", more))]);
      expect(data(outputs, "context.usage")).toEqual([]);
      expect(data(outputs, "notice")).toEqual([expect.objectContaining({ kind: "context", severity: "warning" })]);
    }),
  );
});
