import type { Tool, ToolOutput } from "../../contract/tool.ts";
import { ToolError } from "../../contract/tool.ts";
import type { HostAnswer, HostToolDefinition } from "../wire/commands.ts";
import { createArgumentCheck } from "./argument-check.ts";
import { createHostCalls } from "./host-calls.ts";

type Send = (frame: Record<string, unknown>) => void;

/** Tools that the host runs. `define` creates a new set of tools; running calls of the old set continue. */
export interface HostTools {
  define(definitions: readonly HostToolDefinition[]): Tool[];
  update(update: HostAnswer<"host_tool_update">): void;
  result(result: HostAnswer<"host_tool_result">): void;
  rejectAll(reason: string): void;
}

export function createHostTools(send: Send): HostTools {
  const calls = createHostCalls<ToolOutput>(send, {
    request: "host_tool_call",
    cancel: "host_tool_cancel",
    prefix: "host",
  });
  const progress = new Map<string, (text: string) => void>();

  const toolOf = (definition: HostToolDefinition, check = createArgumentCheck(definition.parameters)): Tool => ({
    name: definition.name,
    label: definition.label ?? definition.name,
    spec: { name: definition.name, description: definition.description, parameters: definition.parameters },
    ...(definition.hidden ? { hidden: true } : {}),
    prepare(args) {
      if (typeof args !== "object" || args === null || Array.isArray(args)) {
        return { invalid: `The arguments of ${definition.name} must be an object.` };
      }
      const problem = check(args);
      if (problem !== undefined) return { invalid: `The arguments of ${definition.name} are not valid: ${problem}.` };
      return {
        title: definition.label ?? definition.name,
        actions: [{ kind: "host_tool.invoke", tool: definition.name }],
        async run(context) {
          let callId = "";
          const fields = { toolCallId: context.callId, toolName: definition.name, arguments: args };
          try {
            return await calls.call(fields, context.signal, (id) => {
              callId = id;
              progress.set(id, onlyNew(context.progress));
            });
          } finally {
            progress.delete(callId);
          }
        },
      };
    },
  });

  return {
    define: (definitions) => definitions.map((definition) => toolOf(definition)),
    update: ({ id, partialResult }) => progress.get(id)?.(textOf(partialResult.content)),
    result({ id, result, isError }) {
      const call = calls.find(id);
      if (!call) return;
      if (isError)
        call.reject(new ToolError(textOf(result.content) || "The host's tool failed without an error message."));
      else
        call.resolve({ content: result.content, ...(result.details === undefined ? {} : { details: result.details }) });
    },
    rejectAll: (reason) => calls.rejectAll(reason),
  };
}

/** Hosts send either the whole output so far or only the new part; both are reduced to the new part. */
function onlyNew(progress: (delta: string) => void): (text: string) => void {
  let known = "";
  return (text) => {
    const delta = text.startsWith(known) ? text.slice(known.length) : text;
    known = text.startsWith(known) ? text : known + text;
    if (delta !== "") progress(delta);
  };
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.map((block) => block.text ?? "").join("");
}
