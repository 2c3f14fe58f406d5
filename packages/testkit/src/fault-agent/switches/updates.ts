import { type FaultSwitches, nestedJson } from "../switch.ts";

const call = (toolCallId: unknown, more: object = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "ls",
  kind: "execute",
  status: "pending",
  ...more,
});
const chunk = (content: unknown) => ({ sessionUpdate: "agent_message_chunk", content });
const endCall = (toolCallId: unknown, more: object = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: "completed",
  ...more,
});

/** Updates of the running turn: their shape, order and number. */
export const updateSwitches: FaultSwitches = {
  "tool-id": {
    about: "a tool call with an unusable id",
    work: (agent, value) => agent.update(call(value === "" ? undefined : JSON.parse(value))),
  },
  "tool-reused": {
    about: "the same tool id in every turn, as its first act",
    work: (agent) => {
      agent.update(call("same"));
      agent.update(endCall("same", { rawOutput: { output: `output ${agent.turn}` } }));
    },
  },
  "tool-alike": {
    about: "tool ids that differ in characters that item ids do not allow",
    work: (agent) => {
      for (const id of ["a b", "a/b", "a-b"]) agent.update(call(id));
      for (const id of ["a b", "a/b", "a-b"]) agent.update(endCall(id, { rawOutput: { output: id } }));
    },
  },
  "tool-open": {
    about: "many tool calls that never end",
    work: (agent, count) => {
      for (let index = 0; index < Number(count || 2000); index++) agent.update(call(`t${index}`));
    },
  },
  "tool-open-mixed": {
    about: "many open tool calls, alternating with text",
    work: (agent, count) => {
      for (let index = 0; index < Number(count || 2000); index++) {
        agent.update(call(`t${index}`));
        agent.text(`text ${index} `);
      }
    },
  },
  "tool-ends-twice": {
    about: "a tool call ends twice",
    work: (agent) => {
      agent.update(call("t"));
      agent.update(endCall("t"));
      agent.update(endCall("t"));
    },
  },
  "tool-unannounced": { about: "a tool call that only ends", work: (agent) => agent.update(endCall("t")) },
  "tool-huge-output": {
    about: "a tool output of 5 MB",
    work: (agent) => {
      agent.update(call("t"));
      agent.update(endCall("t", { rawOutput: { output: "x".repeat(5_000_000) } }));
    },
  },
  "deep-tool": {
    about: "a tool input that nests 3,000 levels deep",
    work: (agent, depth) => {
      const update = `{"sessionUpdate":"tool_call","toolCallId":"deep","title":"t","rawInput":${nestedJson(Number(depth || 3000))}}`;
      const params = `{"sessionId":${JSON.stringify(agent.session)},"update":${update}}`;
      agent.write(`{"jsonrpc":"2.0","method":"session/update","params":${params}}\n`);
    },
  },
  "deep-request": {
    about: "a request of an unknown method that nests 3,000 levels deep",
    work: (agent) => agent.write(`{"jsonrpc":"2.0","id":77,"method":"x/deep","params":${nestedJson(3000)}}\n`),
  },
  "chunk-content": { about: "text of another shape", work: (agent, value) => agent.update(chunk(JSON.parse(value))) },
  "chunk-huge": {
    about: "a piece of text of 5 MB",
    work: (agent) => agent.update(chunk({ type: "text", text: "x".repeat(5_000_000) })),
  },
  "chunk-many": {
    about: "many small pieces of text",
    work: (agent, count) => {
      for (let index = 0; index < Number(count || 20_000); index++) agent.text("y");
    },
  },
  "update-unknown": {
    about: "an update of an unknown kind",
    work: (agent) => agent.update({ sessionUpdate: "surprise", value: 1 }),
  },
  "update-shape": { about: "an update that is no object", work: (agent, value) => agent.update(JSON.parse(value)) },
  "update-foreign": {
    about: "text for another conversation",
    work: (agent) => agent.update(chunk({ type: "text", text: "foreign" }), "another"),
  },
  "update-session": {
    about: "text with an unusable session id",
    work: (agent, value) => agent.update(chunk({ type: "text", text: "odd" }), JSON.parse(value)),
  },
  "state-idle": {
    about: "an update of version 2 that ends the turn",
    work: (agent) => agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }),
  },
  "commands-many": {
    about: "a list of 20,000 commands",
    work: (agent) => {
      const availableCommands = Array.from({ length: 20_000 }, (_, index) => ({ name: `c${index}`, description: "d" }));
      agent.update({ sessionUpdate: "available_commands_update", availableCommands });
    },
  },
  "notification-unknown": {
    about: "many notifications of an unknown method",
    work: (agent, count) => {
      for (let index = 0; index < Number(count || 1000); index++)
        agent.send({ method: "x/unknown", params: { index } });
    },
  },
};
