import { resolve } from "node:path";
import type { PendingAction, Tool, ToolContext, ToolOutput, ToolPlace } from "../../contract/tool.ts";
import { ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { commandActions } from "../../permissions/bash/command-actions.ts";
import { createArgumentCheck } from "../../rpc/host/argument-check.ts";
import { textOutput } from "../../tools/define.ts";
import type { DeclaredAction, ExtensionTool, ExtensionUi, PendingChange } from "./types.ts";

type Parts = { ui: ExtensionUi; onNonsense(error: string): void };

/** A tool of an extension as the loop calls it. */
export function extensionTool(tool: ExtensionTool, { ui, onNonsense }: Parts): Tool {
  const { name, label = tool.name, description, parameters, concurrency } = tool;
  const check = createArgumentCheck(parameters);
  return {
    name,
    label,
    spec: { name, description, parameters },
    ...(concurrency === "exclusive" ? { concurrency } : {}),
    prepare(given, place) {
      if (!isRecord(given)) return { invalid: `The arguments of ${name} must be an object.` };
      const problem = check(given);
      if (problem !== undefined) return { invalid: `The arguments of ${name} are not valid: ${problem}.` };
      const title = tool.title?.(given);
      return {
        title: typeof title === "string" ? title : label,
        actions: toActions(tool.actions?.(given), name, place),
        run: async (context) => {
          const result = await tool.run(given, toolContext(context, name, ui));
          return asOutput(result) ?? refuseNonsense(name, onNonsense);
        },
      };
    },
  };
}

/** What an undeclared call counts as: code that runs. A grant for the session covers this tool only. */
function runsCode(name: string): Action[] {
  return [{ kind: "code.run", language: `extension tool ${name}`, code: name }];
}

/**
 * The declared actions in the terms of the permission check. Anything that is not one of the known declarations makes the
 * call one that runs code.
 */
export function toActions(
  declared: readonly DeclaredAction[] | undefined,
  name: string,
  place: Pick<ToolPlace, "cwd" | "folders" | "env">,
): Action[] {
  if (!Array.isArray(declared) || declared.length === 0) return runsCode(name);
  return declared.flatMap((action: DeclaredAction): Action[] => {
    switch (action?.kind) {
      case "file.read":
      case "file.write":
      case "file.delete":
        return typeof action.path === "string"
          ? [{ kind: action.kind, path: resolve(place.cwd, action.path) }]
          : runsCode(name);
      case "net.fetch":
        return typeof action.url === "string" ? [{ kind: "net.fetch", url: action.url }] : runsCode(name);
      case "bash":
        return typeof action.command === "string"
          ? commandActions({ command: action.command }, place, { cwd: place.cwd, variables: () => ({}) }).actions
          : runsCode(name);
      case "inner":
        return [{ kind: "inner" }];
      default:
        return runsCode(name);
    }
  });
}

function toolContext(context: ToolContext, name: string, ui: ExtensionUi) {
  const { callId, cwd, signal } = context;
  return {
    callId,
    cwd,
    signal,
    ui,
    progress: (text: string) => context.progress(String(text)),
    call: async (other: string, args: Record<string, unknown>) =>
      (await context.call?.(other, args)) ?? { ...textOutput("Tools cannot be called here."), isError: true },
    pushPendingAction: (change: PendingChange) => context.pend(toPending(change, name, context)),
  };
}

function toPending(change: PendingChange, name: string, place: ToolPlace): PendingAction {
  if (typeof change?.label !== "string" || typeof change.apply !== "function")
    throw new ToolError("A pending action needs a label and a function apply.");
  const reject = change.reject?.bind(change);
  return {
    label: change.label,
    sourceTool: name,
    actions: toActions(change.actions, name, place),
    ...(typeof change.preview === "string" ? { preview: change.preview } : {}),
    async apply(reason, signal) {
      return asOutput(await change.apply(reason, signal)) ?? textOutput(`Applied: ${change.label}.`);
    },
    ...(reject && { reject: async (reason: string) => asOutput(await reject(reason)) }),
  };
}

function refuseNonsense(name: string, onNonsense: (error: string) => void): never {
  onNonsense(`${name} returned neither a text nor {content: [{type: "text", text}]}.`);
  throw new ToolError("The tool returned no result.");
}

/** `undefined`: the value is not a result. */
export function asOutput(value: unknown): ToolOutput | undefined {
  if (typeof value === "string") return textOutput(value);
  if (!isRecord(value) || !Array.isArray(value.content) || !value.content.every(isBlock)) return undefined;
  const { content, details, isError } = value;
  return {
    content: content as ToolOutput["content"],
    ...(details === undefined ? {} : { details }),
    ...(isError === true ? { isError } : {}),
  };
}

function isBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  if (block.type === "text") return typeof block.text === "string";
  return block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
