import type { HookedCall, HookedRequest, Hooks } from "../../contract/hooks.ts";
import type { Secrets } from "../../contract/ports.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import type { CommandHooks } from "./command-hooks.ts";
import type { ModuleHooks } from "./module-hooks.ts";

/** How often in a row hooks may make the model continue. */
const MOST_CONTINUED = 5;

export type SessionHookParts = {
  modules: ModuleHooks;
  commands: CommandHooks;
  /** Hooks get texts with the same placeholders as the model. */
  secrets?: Pick<Secrets, "seal" | "open"> | undefined;
  /** Absent for subagents: their messages come from the model. */
  main?: {
    /** Takes slash commands. */
    take(text: string): Promise<{ text: string } | { handled: true } | { refused: string }>;
    addContext(text: string): void;
  };
};

/** The hooks of one session: handlers of extensions first, then hook commands. */
export function createSessionHooks(parts: SessionHookParts): Hooks {
  const { modules, commands, secrets, main } = parts;
  const seal = <Value>(value: Value) => (secrets?.seal(value) ?? value) as Value;
  const open = <Value>(value: Value) => secrets?.open(value) ?? value;
  let continued = 0;
  return {
    async beforeTool(call, signal) {
      if (!modules.has("before_tool") && !commands.has("PreToolUse")) return undefined;
      const shown: HookedCall = seal(call);
      const first = await modules.beforeTool(shown);
      if (first?.deny !== undefined) return first;
      const second = await commands.beforeTool({ ...shown, args: first?.args ?? shown.args }, signal);
      if (second?.deny !== undefined) return second;
      const args = second?.args ?? first?.args;
      const ask = first?.ask ?? second?.ask;
      return args || ask ? { ...(args ? { args: open(args) } : {}), ...(ask ? { ask } : {}) } : undefined;
    },
    async afterTool(call, output, signal) {
      if (!modules.has("after_tool") && !commands.has("PostToolUse")) return undefined;
      const shown = seal({ call, output });
      const changed = await modules.afterTool(shown.call, shown.output);
      const texts = await commands.afterTool(shown.call, changed ?? shown.output, signal);
      if (!changed && texts.length === 0) return undefined;
      const result: ToolOutput = changed ? open(changed) : output;
      return { ...result, content: [...result.content, ...texts.map((text) => ({ type: "text" as const, text }))] };
    },
    async beforeRequest(request): Promise<HookedRequest> {
      if (!modules.has("before_request")) return request;
      const shown = seal({ system: request.system, messages: request.messages });
      const changed = await modules.beforeRequest(shown);
      return changed === shown ? request : open(changed);
    },
    async beforeCompaction(reason, signal) {
      const ruling = await modules.beforeCompaction(reason);
      const cancel =
        ruling.cancel ?? (await commands.beforeCompaction(reason === "manual" ? "manual" : "auto", signal));
      return cancel === undefined ? ruling : { ...ruling, cancel };
    },
    ...(main && {
      async prompt(text) {
        continued = 0;
        const taken = await main.take(text);
        if (!("text" in taken)) return taken;
        const shown = seal(taken.text);
        const changed = await modules.prompt(shown);
        if ("refused" in changed) return changed;
        const ruling = await commands.prompt(changed.text);
        if ("refused" in ruling) return ruling;
        for (const context of [...changed.context, ...ruling.context]) main.addContext(context);
        return { text: changed.text === shown ? taken.text : open(changed.text) };
      },
      async stop(signal) {
        if (continued >= MOST_CONTINUED) return undefined;
        const reason = (await modules.stop(continued)) ?? (await commands.stop(continued > 0, signal));
        if (reason !== undefined) continued += 1;
        return reason;
      },
    }),
  };
}
