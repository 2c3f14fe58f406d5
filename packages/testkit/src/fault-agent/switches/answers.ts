import { setTimeout as sleep } from "node:timers/promises";
import type { FaultSwitches } from "../switch.ts";

const GREETING = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
const never = () => true;

/** Answers to the client's requests: their shape, ids, order and number. */
export const answerSwitches: FaultSwitches = {
  "init-error": {
    about: "initialize fails",
    initialize: (agent, id) => reply(agent.fail(id, { code: -32603, message: "The configuration is broken" })),
  },
  "init-no-version": { about: "initialize without a version", initialize: (agent, id) => reply(agent.answer(id, {})) },
  "init-version": {
    about: "another protocol version",
    initialize: (agent, id, version) => reply(agent.answer(id, { ...GREETING, protocolVersion: JSON.parse(version) })),
  },
  "init-null": { about: "initialize with a null result", initialize: (agent, id) => reply(agent.answer(id, null)) },
  "init-never": { about: "initialize is not answered", initialize: never },
  "init-twice": {
    about: "initialize is answered twice",
    initialize: (agent, id) => reply(agent.answer(id, GREETING), agent.answer(id, GREETING)),
  },
  "new-id": {
    about: "an unusable session id",
    open: (agent, id, value) => reply(agent.answer(id, value === "" ? {} : { sessionId: JSON.parse(value) })),
  },
  "new-huge-id": {
    about: "a session id of 1 MB",
    open: (agent, id) => reply(agent.answer(id, { sessionId: "x".repeat(1_000_000) })),
  },
  "new-error": {
    about: "the conversation is refused",
    open: (agent, id) => reply(agent.fail(id, { code: -32603, message: "No room for a conversation" })),
  },
  "new-null": { about: "a null result for the conversation", open: (agent, id) => reply(agent.answer(id, null)) },
  "new-never": { about: "the conversation is never opened", open: never },
  "new-twice": {
    about: "the conversation is opened twice, with different ids",
    open: (agent, id) => reply(agent.answer(id, { sessionId: agent.session }), agent.answer(id, { sessionId: "b" })),
  },
  "prompt-never": { about: "the prompt is not answered", prompt: never },
  "prompt-twice": {
    about: "the prompt is answered twice",
    prompt: (agent, id) => reply(agent.answer(id, end("end_turn")), agent.answer(id, end("end_turn"))),
  },
  "prompt-late-twice": {
    about: "the prompt is answered again during the next turn",
    prompt: (agent, id) => {
      agent.answer(id, end("end_turn"));
      setInterval(() => agent.answer(id, end("end_turn")), 50).unref();
      return true;
    },
  },
  "prompt-id": {
    about: "the answer has another id",
    prompt: (agent, _, value) => reply(agent.answer(JSON.parse(value), end("end_turn"))),
  },
  "prompt-result": {
    about: "the answer has another shape",
    prompt: (agent, id, value) => reply(agent.answer(id, JSON.parse(value))),
  },
  "prompt-stop": {
    about: "an unknown stop reason",
    prompt: (agent, id, value) => reply(agent.answer(id, { stopReason: JSON.parse(value) })),
  },
  "prompt-error": {
    about: "the prompt fails",
    prompt: (agent, id, value) => reply(agent.fail(id, JSON.parse(value))),
  },
  "prompt-huge-error": {
    about: "an error text of 5 MB",
    prompt: (agent, id) => reply(agent.fail(id, { code: -32603, message: "x".repeat(5_000_000) })),
  },
  "prompt-early": {
    about: "the answer comes before the text",
    prompt: async (agent, id) => {
      agent.answer(id, end("end_turn"));
      await sleep(10);
      agent.text("late text");
      return true;
    },
  },
  "prompt-slow": {
    about: "the answer comes late",
    prompt: async (agent, id, ms) => {
      await sleep(Number(ms || 500));
      agent.answer(id, end("end_turn"));
      return true;
    },
  },
  "cancel-end-turn": {
    about: "Stop is answered with end_turn after more text",
    prompt: never,
    cancel: (agent, id) => reply(agent.text(" stopped"), agent.answer(id, end("end_turn"))),
  },
  "cancel-never": { about: "Stop is ignored", prompt: never, cancel: never },
  "cancel-error": {
    about: "Stop is answered with an error",
    prompt: never,
    cancel: (agent, id) => reply(agent.fail(id, { code: -32603, message: "Aborted" })),
  },
  "cancel-exit": { about: "the agent exits on Stop", prompt: never, cancel: () => process.exit(1) },
};

function reply(..._sent: unknown[]): true {
  return true;
}

function end(stopReason: string): object {
  return { stopReason };
}
