import type { CallRuling, HookedCall } from "../../contract/hooks.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import type { RunHook } from "../../tools/bash/run-hook.ts";
import { isRecord } from "../api/extension-tool.ts";
import type { Loaded } from "../load/loaded.ts";
import type { Supervisor } from "../load/supervise.ts";
import { type CommandHook, type HookEvent, matchesHook } from "./hook-file.ts";
import { fromHookInput, hookNames, toHookInput } from "./tool-names.ts";

export type CommandHookParts = {
  extensions(): readonly Loaded[];
  supervisor: Supervisor;
  run: RunHook;
  /** Compared right before each run: the agent may have changed a script of the project since. */
  isUnchanged(extension: Loaded): boolean;
  cwd: string;
  /** The fields that every hook gets. */
  common(): Record<string, unknown>;
};

/** What a hook command decided. */
type Verdict = { block?: string; ask?: string; input?: Record<string, unknown>; context: string[]; stop?: string };

/** Code 2 blocks with the text of stderr; 0 may print a decision as JSON; any other code is a failure of the hook. */
const BLOCKS = 2;
/** The user waits for the end of the session. */
const END_MS = 5_000;
const NO_SIGNAL = new AbortController().signal;

/** Runs the hook commands of files, those of one event at the same time. */
export class CommandHooks {
  readonly #parts: CommandHookParts;

  constructor(parts: CommandHookParts) {
    this.#parts = parts;
  }

  has(event: HookEvent): boolean {
    return this.#parts.extensions().some(({ state, hooks }) => state === "active" && hooks.some(isAt(event)));
  }

  async beforeTool(call: HookedCall, signal: AbortSignal): Promise<CallRuling | undefined> {
    const { cwd } = this.#parts;
    const names = hookNames(call.name);
    const input = { tool_name: names.name, tool_input: toHookInput(call.args, cwd) };
    const verdicts = await this.#run("PreToolUse", names.all, input, signal);
    const blocked = verdicts.find(({ block }) => block !== undefined);
    if (blocked?.block !== undefined) return { deny: blocked.block };
    const changed = verdicts.findLast(({ input: given }) => given !== undefined)?.input;
    const ask = verdicts.find(({ ask: reason }) => reason !== undefined)?.ask;
    if (!changed && ask === undefined) return undefined;
    return {
      ...(changed ? { args: fromHookInput(changed, call.args) } : {}),
      ...(ask === undefined ? {} : { ask }),
    };
  }

  /** Texts for the model after a call. */
  async afterTool(call: HookedCall, output: ToolOutput, signal: AbortSignal): Promise<string[]> {
    if (output.isError) return [];
    const names = hookNames(call.name);
    const tool_response = { content: output.content };
    const input = { tool_name: names.name, tool_input: toHookInput(call.args, this.#parts.cwd), tool_response };
    const verdicts = await this.#run("PostToolUse", names.all, input, signal);
    return verdicts.flatMap(({ block, context }) => [...(block === undefined ? [] : [block]), ...context]);
  }

  async prompt(prompt: string): Promise<{ refused: string } | { context: string[] }> {
    const verdicts = await this.#run("UserPromptSubmit", [], { prompt }, NO_SIGNAL, true);
    const blocked = verdicts.find(({ block, stop }) => (block ?? stop) !== undefined);
    if (blocked) return { refused: blocked.block ?? blocked.stop ?? "A hook refused the message." };
    return { context: verdicts.flatMap(({ context }) => context) };
  }

  async sessionStart(source: string): Promise<string[]> {
    const verdicts = await this.#run("SessionStart", [source], { source }, NO_SIGNAL, true);
    return verdicts.flatMap(({ context }) => context);
  }

  async sessionEnd(): Promise<void> {
    await this.#run("SessionEnd", [], { reason: "other" }, AbortSignal.timeout(END_MS));
  }

  async beforeCompaction(trigger: "manual" | "auto", signal: AbortSignal): Promise<string | undefined> {
    const verdicts = await this.#run("PreCompact", [trigger], { trigger, custom_instructions: "" }, signal);
    return verdicts.find(({ block }) => block !== undefined)?.block;
  }

  async stop(isActive: boolean, signal: AbortSignal): Promise<string | undefined> {
    const verdicts = await this.#run("Stop", [], { stop_hook_active: isActive }, signal);
    return verdicts.find(({ block }) => block !== undefined)?.block;
  }

  /** `isTextContext`: what the hook prints is context for the model, unless it is JSON. */
  async #run(
    event: HookEvent,
    names: readonly string[],
    input: Record<string, unknown>,
    signal: AbortSignal,
    isTextContext = false,
  ): Promise<Verdict[]> {
    const wanted = this.#parts
      .extensions()
      .filter(({ state }) => state === "active")
      .flatMap((extension) =>
        extension.hooks
          .filter(isAt(event))
          .filter(({ matcher }) => names.length === 0 || matchesHook(matcher, names))
          .map((hook) => ({ extension, hook })),
      );
    if (wanted.length === 0) return [];
    const { common, cwd } = this.#parts;
    const text = JSON.stringify({ ...common(), cwd, hook_event_name: event, ...input });
    const runs = wanted.map(({ extension, hook }) => this.#runOne(extension, hook, text, signal, isTextContext));
    return (await Promise.all(runs)).flatMap((verdict) => verdict ?? []);
  }

  async #runOne(
    extension: Loaded,
    { event, command, timeoutMs }: CommandHook,
    input: string,
    signal: AbortSignal,
    isTextContext: boolean,
  ): Promise<Verdict | undefined> {
    const { supervisor, run, isUnchanged } = this.#parts;
    if (!isUnchanged(extension)) {
      supervisor.fail(
        extension,
        event,
        "It was not run: its file or a script that it names has changed since you trusted it.",
      );
      return undefined;
    }
    const done = await run(command, input, { signal, timeoutMs });
    if ("skipped" in done) {
      supervisor.note(extension, event, done.skipped);
      return undefined;
    }
    const { exitCode, stdout, stderr, timedOut } = done;
    if (exitCode === BLOCKS) return { block: stderr.trim() || `The hook ${command} blocked it.`, context: [] };
    if (exitCode !== 0) {
      const how = timedOut ? `took longer than ${timeoutMs / 1000} s` : `ended with ${exitCode ?? "a signal"}`;
      if (!signal.aborted)
        supervisor.fail(extension, event, `${command} ${how}. ${stderr.trim().slice(0, 300)}`.trim());
      return undefined;
    }
    supervisor.succeed(extension, event);
    return readVerdict(stdout, isTextContext);
  }
}

/** The decision that a hook printed. `allow` has no effect: a hook never permits anything. */
function readVerdict(stdout: string, isTextContext: boolean): Verdict {
  const text = stdout.trim();
  const json = text.startsWith("{") ? parse(text) : undefined;
  if (!json) return { context: isTextContext && text !== "" ? [text] : [] };
  const specific = isRecord(json.hookSpecificOutput) ? json.hookSpecificOutput : {};
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(json.reason);
  const decision = textOf(specific.permissionDecision) ?? textOf(json.decision);
  const more = textOf(specific.additionalContext);
  const input = isRecord(specific.updatedInput) ? specific.updatedInput : undefined;
  const stop = json.continue === false ? (textOf(json.stopReason) ?? "A hook stopped it.") : undefined;
  const isBlocked = decision === "deny" || decision === "block" || stop !== undefined;
  return {
    ...(isBlocked ? { block: reason ?? stop ?? "A hook blocked it." } : {}),
    ...(decision === "ask" ? { ask: reason ?? "a hook wants you to decide" } : {}),
    ...(input ? { input } : {}),
    ...(stop === undefined ? {} : { stop }),
    context: more === undefined ? [] : [more],
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isAt(event: HookEvent): (hook: CommandHook) => boolean {
  return (hook) => hook.event === event;
}
