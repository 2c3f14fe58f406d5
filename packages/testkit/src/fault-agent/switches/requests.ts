import type { FaultSwitches, FaultyAgent } from "../switch.ts";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

function permission(agent: FaultyAgent, more: object = {}): object {
  const toolCall = { toolCallId: "asked", title: "ls", kind: "execute" };
  return { method: "session/request_permission", params: { sessionId: agent.session, toolCall, options, ...more } };
}

/** Requests of the agent. */
export const requestSwitches: FaultSwitches = {
  ask: { about: "a permission request", work: async (agent) => void (await agent.ask(permission(agent))) },
  "ask-options": {
    about: "a permission request with unusable options",
    work: async (agent, value) => void (await agent.ask(permission(agent, { options: JSON.parse(value) }))),
  },
  "ask-foreign": {
    about: "a permission request for another conversation",
    work: async (agent) => void (await agent.ask(permission(agent, { sessionId: "another" }))),
  },
  "ask-id": {
    about: "a permission request with an unusable id",
    work: (agent, value) => agent.send({ id: JSON.parse(value), ...permission(agent) }),
  },
  "ask-twice": {
    about: "two permission requests with the same id",
    work: async (agent) => {
      const answered = agent.ask({ id: "twice", ...permission(agent) });
      agent.send({ id: "twice", ...permission(agent) });
      await answered;
    },
  },
  "ask-many": {
    about: "many permission requests that the agent does not await",
    work: (agent, count) => {
      for (let index = 0; index < Number(count || 300); index++)
        agent.send({ id: `many-${index}`, ...permission(agent) });
    },
  },
  "ask-huge": {
    about: "a permission request with a description of 5 MB",
    work: async (agent) => void (await agent.ask(permission(agent, { description: "x".repeat(5_000_000) }))),
  },
  "request-unknown": {
    about: "a request of an unknown method",
    work: async (agent) => void (await agent.ask({ method: "x/unknown", params: {} })),
  },
  "request-files": {
    about: "a request for a file of the client",
    work: async (agent) => {
      const params = { sessionId: agent.session, path: "/etc/hostname" };
      await agent.ask({ method: "fs/read_text_file", params });
    },
  },
};
