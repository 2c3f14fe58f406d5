import type { AssistantMessage, StreamEvent, ToolCall, ToolSpec } from "@gantry/models";

const KEY = "_i";

/** The tool with an additional argument for the purpose of the call. */
export function withIntent(spec: ToolSpec): ToolSpec {
  const { properties, required } = spec.parameters as { properties?: Record<string, unknown>; required?: string[] };
  if (spec.parameters.type !== "object" || (properties && KEY in properties)) return spec;
  const intent = { type: "string", description: "The purpose of this call, in a short phrase." };
  return {
    ...spec,
    parameters: {
      ...spec.parameters,
      properties: { [KEY]: intent, ...properties },
      required: [KEY, ...(required ?? [])],
    },
  };
}

/** Moves the intent out of the arguments, so that no tool sees it. */
function takeIntent(call: ToolCall): ToolCall {
  if (!(KEY in call.arguments)) return call;
  const { [KEY]: intent, ...rest } = call.arguments;
  return { ...call, arguments: rest, ...(typeof intent === "string" ? { intent } : {}) };
}

function takeIntents(message: AssistantMessage): AssistantMessage {
  if (!message.content.some((each) => each.type === "toolCall" && KEY in each.arguments)) return message;
  return { ...message, content: message.content.map((each) => (each.type === "toolCall" ? takeIntent(each) : each)) };
}

export function extractIntent(event: StreamEvent): StreamEvent {
  if (event.type === "toolcall_end") return { ...event, toolCall: takeIntent(event.toolCall) };
  if (event.type === "done" || event.type === "error") return { ...event, message: takeIntents(event.message) };
  return event;
}
