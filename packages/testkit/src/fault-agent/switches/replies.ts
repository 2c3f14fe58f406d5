import type { FaultSwitches } from "../switch.ts";

type Message = Record<string, unknown>;

/** Whether a prompt was sent to this process. */
let prompted = false;
const recordPrompt = () => {
  prompted = true;
};

/** The ids of responses in protocols with requests: JSON-RPC, Claude's control protocol and Pi's RPC mode. */
export const replySwitches: FaultSwitches = {
  "greeting-id": {
    about: "the responses before the first prompt have another id",
    any: true,
    work: recordPrompt,
    line: (line, id) => (prompted ? line : changeReply(line, (reply) => [withId(reply, JSON.parse(id))])),
  },
  "reply-id": {
    about: "the responses after the first prompt have another id",
    any: true,
    work: recordPrompt,
    line: (line, id) => (prompted ? changeReply(line, (reply) => [withId(reply, JSON.parse(id))]) : line),
  },
  "reply-twice": {
    about: "every response is sent twice",
    any: true,
    line: (line) => changeReply(line, (reply) => [reply, reply]),
  },
  "reply-unknown": {
    about: "an error for an unknown request before every response",
    any: true,
    line: (line) => changeReply(line, (reply) => [withId(asError(reply), "unknown"), reply]),
  },
};

/** The line, with these messages in place of a response. Other lines stay, as do those that another switch has broken. */
function changeReply(line: string, change: (reply: Message) => Message[]): string {
  const message = readLine(line);
  if (!message || !isReply(message)) return line;
  return change(message)
    .map((reply) => `${JSON.stringify(reply)}\n`)
    .join("");
}

function readLine(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

function isReply(message: Message): boolean {
  if (message.type === "control_response" || message.type === "response") return true;
  return "id" in message && ("result" in message || "error" in message);
}

function withId(reply: Message, id: unknown): Message {
  if (reply.type !== "control_response") return { ...reply, id };
  return { ...reply, response: { ...(reply.response as Message), request_id: id } };
}

function asError(reply: Message): Message {
  if (reply.type === "response") return { ...reply, success: false, error: "No" };
  if (reply.type === "control_response")
    return { ...reply, response: { ...(reply.response as Message), subtype: "error", error: "No" } };
  const { result: _, ...rest } = reply;
  return { ...rest, error: { code: -32603, message: "No" } };
}
