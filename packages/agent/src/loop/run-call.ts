import type { ToolCall } from "@gantry/models";
import { errorText } from "../contract/errors.ts";
import type { HookedCall } from "../contract/hooks.ts";
import type { Injection } from "../contract/rules.ts";
import { type Prepared, type Tool, type ToolContext, ToolError, type ToolOutput } from "../contract/tool.ts";
import type { Action, Approval, ApprovalRequest } from "../permissions/action.ts";
import type { LoopPorts } from "./ports.ts";

export const SKIPPED = "Skipped due to queued user message.";
export const ABORTED = "Aborted by the user before it was done.";

/** A call in an answer. `invalid`: why its arguments are not valid JSON. */
export type RequestedCall = { call: ToolCall; invalid?: string };

/** State shared by the calls of one answer. */
export type CallBatch = {
  /** `run` is the run's signal; `calls` is also aborted by a queued message or a guard. */
  run: AbortSignal;
  calls: AbortSignal;
  /** Set when a guard ended the run. */
  refusal?: string;
  /** Rules for the files that the calls touched. */
  injections: Injection[];
  stop(refusal: string): void;
  /** Serialises questions to the person. */
  inTurn<Value>(step: () => Promise<Value>): Promise<Value>;
};

type ReadyCall = Extract<Prepared, { title: string }>;

/** Runs one call and publishes its start and end. Never throws. */
export async function runCall(ports: LoopPorts, wanted: RequestedCall, batch: CallBatch): Promise<ToolOutput> {
  const { call } = wanted;
  ports.emit({
    type: "tool_execution_start",
    toolCallId: call.id,
    toolName: call.name,
    args: call.arguments,
    ...(call.intent === undefined ? {} : { intent: call.intent }),
  });
  const began = ports.now();
  const output = ports.shorten(await attempt(ports, wanted, batch), call.name);
  ports.emit({
    type: "tool_execution_end",
    toolCallId: call.id,
    toolName: call.name,
    result: output,
    isError: output.isError === true,
    durationMs: Math.max(0, ports.now() - began),
  });
  return output;
}

async function attempt(ports: LoopPorts, wanted: RequestedCall, batch: CallBatch): Promise<ToolOutput> {
  const { call } = wanted;
  const held = findRefusal(batch);
  if (held) return errorOutput(held);
  const tool = ports.tools().find((each) => each.name === call.name);
  if (!tool) return errorOutput(unknownTool(ports, call.name));
  if (wanted.invalid !== undefined) {
    return errorOutput(
      `The arguments of this call are not valid JSON (${wanted.invalid}). The call was not run. Send it again with valid JSON.`,
    );
  }
  const hooked = { id: call.id, name: call.name, args: call.arguments };
  const ruling = await beforeAbort(ports.hooks?.beforeTool?.(hooked, batch.calls), batch.calls);
  if (ruling?.deny !== undefined) return errorOutput(`Not run: a hook denied this call. ${ruling.deny}`);
  const args = ruling?.args ?? call.arguments;
  const prepared = prepare(tool, args, ports);
  if ("invalid" in prepared) return errorOutput(prepared.invalid);
  const { title, actions } = prepared;
  const request = { toolCallId: call.id, toolName: call.name, title, args, actions };
  const guarded = ports.guard?.beforeTool(call.name, request);
  if (guarded?.stop) batch.stop(guarded.refused ?? "The run was stopped.");
  if (guarded?.refused !== undefined || guarded?.stop) return errorOutput(guarded.refused ?? "The run was stopped.");
  const permitted = await permit(ports, tool, request, prepared, batch, ruling?.ask);
  if ("refused" in permitted) return errorOutput(permitted.refused);
  const late = findRefusal(batch);
  if (late !== undefined) return errorOutput(late);
  const permitLate = async (late: readonly Action[]) => {
    const more = { ...request, title: `${title}: further files`, actions: [...late] };
    const verdict = ports.decide(permitted.actions);
    const result =
      verdict.verdict === "deny"
        ? { refused: `Not allowed: ${verdict.reason}` }
        : await permit(ports, tool, more, { title: more.title, actions: more.actions, run: permitted.run }, batch);
    if ("refused" in result) throw new ToolError(result.refused);
  };
  const output = await runPermitted(ports, call, permitted, batch, permitLate);
  return await applyAfterHooks(
    ports,
    { id: call.id, name: call.name, args },
    ruling?.args !== undefined,
    output,
    batch,
  );
}

/** Hooks see what the model would see: without the owner's token, and shortened. The model learns of a changed input. */
async function applyAfterHooks(
  ports: LoopPorts,
  call: HookedCall,
  isChanged: boolean,
  output: ToolOutput,
  batch: CallBatch,
): Promise<ToolOutput> {
  const text = `[A hook changed the input of this call to: ${shortJson(call.args)}]`;
  const noted = isChanged ? { ...output, content: [...output.content, { type: "text" as const, text }] } : output;
  const after = ports.hooks?.afterTool;
  if (!after) return noted;
  const shown = ports.shorten(noted, call.name);
  return (await beforeAbort(after(call, shown, batch.calls), batch.calls)) ?? shown;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** Why a call must not start, or why waiting for it must end. */
function findRefusal(batch: CallBatch): string | undefined {
  if (batch.run.aborted) return ABORTED;
  if (batch.refusal !== undefined) return batch.refusal;
  return batch.calls.aborted ? SKIPPED : undefined;
}

function prepare(tool: Tool, args: unknown, ports: LoopPorts): Prepared {
  try {
    return tool.prepare(args, ports.place);
  } catch (error) {
    return { invalid: `${tool.name} could not read its arguments: ${errorText(error)}` };
  }
}

type PermitResult = ReadyCall | { refused: string };

async function permit(
  ports: LoopPorts,
  tool: Tool,
  request: ApprovalRequest,
  prepared: ReadyCall,
  batch: CallBatch,
  mustAsk?: string,
): Promise<PermitResult> {
  const verdict = ports.decide(prepared.actions);
  if (verdict.verdict === "allow" && mustAsk === undefined) return prepared;
  if (verdict.verdict === "deny") return { refused: `Not allowed: ${verdict.reason}` };
  const { person } = ports;
  if (!person) return { refused: "Not allowed: this call needs an approval, and there is no person to ask." };
  const approval = await batch.inTurn(async (): Promise<Approval | undefined> => {
    if (findRefusal(batch) !== undefined) return undefined;
    if (mustAsk === undefined && ports.decide(prepared.actions).verdict === "allow") return { decision: "once" };
    const preview = prepared.preview && (await beforeAbort(prepared.preview(), batch.calls));
    const title = mustAsk ? `${request.title} (${mustAsk})` : request.title;
    const shown = preview === undefined ? { ...request, title } : { ...request, title, preview };
    return await beforeAbort(person.approve(shown, batch.calls), batch.calls);
  });
  const held = findRefusal(batch);
  if (!approval || held !== undefined) return { refused: held ?? "Not allowed: the approval was not given." };
  return applyApproval(ports, tool, approval, prepared);
}

function applyApproval(ports: LoopPorts, tool: Tool, approval: Approval, prepared: ReadyCall): PermitResult {
  if (approval.decision === "deny") {
    return { refused: `The user declined this call.${approval.reason ? ` ${approval.reason}` : ""}` };
  }
  if (approval.decision === "session") ports.grant(prepared.actions);
  if (!approval.args) return prepared;
  const edited = prepare(tool, approval.args, ports);
  if ("invalid" in edited) return { refused: `The user changed the arguments, and they are wrong: ${edited.invalid}` };
  const verdict = ports.decide(edited.actions);
  return verdict.verdict === "deny" ? { refused: `Not allowed: ${verdict.reason}` } : edited;
}

async function runPermitted(
  ports: LoopPorts,
  call: ToolCall,
  prepared: ReadyCall,
  batch: CallBatch,
  permit: NonNullable<ToolContext["permit"]>,
): Promise<ToolOutput> {
  let offset = 0;
  let ended = false;
  const progress = (delta: string) => {
    if (ended || delta === "") return;
    ports.emit({ type: "tool_execution_update", toolCallId: call.id, toolName: call.name, delta, offset });
    offset += delta.length;
  };
  const inner = callsWithin(ports, call, batch);
  const output = await withGrace(
    () =>
      prepared.run({
        ...ports.context(call.id, batch.calls, progress),
        permit,
        call: async (name, args) =>
          ended ? errorOutput("The outer call has already ended.") : await inner(name, args),
      }),
    batch.calls,
    ports.graceMs,
  );
  ended = true;
  const injection = output.isError ? undefined : ports.touched?.(prepared.actions);
  if (injection) batch.injections.push(injection);
  return output;
}

/** Runs the calls that a running tool makes, one at a time. A tool cannot call itself. */
function callsWithin(ports: LoopPorts, outer: ToolCall, batch: CallBatch): NonNullable<ToolContext["call"]> {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (name, args) => {
    if (name === outer.name) return errorOutput(`${name} cannot call itself.`);
    const id = `${outer.id}.${++count}`;
    const given = (args ?? {}) as ToolCall["arguments"];
    const call: ToolCall = { type: "toolCall", id, name, arguments: given };
    const mine = last.then(() => runCall(ports, { call }, batch));
    last = mine;
    return await mine;
  };
}

/** Runs a tool. After an abort the tool has a grace period to stop; then its result is abandoned. */
async function withGrace(run: () => Promise<ToolOutput>, signal: AbortSignal, graceMs: number): Promise<ToolOutput> {
  const left = Promise.withResolvers<ToolOutput>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    const text = "Aborted. The tool did not stop in time; its outcome is unknown.";
    timer = setTimeout(() => left.resolve(errorOutput(text)), graceMs);
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  try {
    const output = await Promise.race([run(), left.promise]);
    return Array.isArray(output?.content) ? output : errorOutput("The tool returned no result.");
  } catch (error) {
    if (error instanceof ToolError) return errorOutput(error.message);
    return errorOutput(signal.aborted ? ABORTED : `The tool failed: ${errorText(error)}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", begin);
  }
}

/** Resolves to `undefined` if the promise rejects or the signal is aborted first. */
export async function beforeAbort<Value>(
  promise: Promise<Value> | undefined,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const listener = () => resolve(undefined);
  if (signal.aborted) return undefined;
  signal.addEventListener("abort", listener, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } catch {
    return undefined;
  } finally {
    signal.removeEventListener("abort", listener);
  }
}

function unknownTool(ports: LoopPorts, name: string): string {
  const names = ports.tools().filter((each) => !each.hidden);
  return `There is no tool named "${name}". The tools are: ${names.map((each) => each.name).join(", ") || "none"}.`;
}

export function errorOutput(text: string): ToolOutput {
  return { content: [{ type: "text", text }], isError: true };
}
