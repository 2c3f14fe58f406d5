import type { AgentEvent } from "../../contract/events.ts";
import type { LoopPorts } from "../../loop/ports.ts";
import { canForce } from "../../loop/previews.ts";
import { Compactor } from "../context/compactor.ts";
import { blankAnswer } from "../drive/ask-model.ts";
import { Driver } from "../drive/driver.ts";
import { Fallback } from "../drive/fallback.ts";
import { Reminders } from "../drive/reminders.ts";
import type { SessionOptions } from "../options.ts";
import { createRequests, type Requests, type SessionEnvironment } from "./requests.ts";
import { createSessionState, type State } from "./state.ts";
import { createTooling, type Tooling } from "./tooling.ts";

const GRACE_MS = 5_000;

/** The parts of a session. */
export type SessionParts = ReturnType<typeof assemble>;

export function assemble(
  options: SessionOptions,
  surroundings: SessionEnvironment,
  emit: (event: AgentEvent) => void,
  handoff: (signal: AbortSignal) => Promise<unknown>,
) {
  const { registry } = options;
  const state = createSessionState(options, emit);
  const { transcript, choice, settings, permission, queue } = state;
  const tooling = createTooling(options, state, emit);
  const questions = createRequests(options, state, tooling.toolbox, surroundings);
  const { countFixedTokens, askText } = questions;
  const compactor = new Compactor({
    transcript,
    choice,
    registry,
    settings,
    emit,
    countFixedTokens,
    ask: askText,
    handoff,
    before: options.hooks?.beforeCompaction,
  });
  const reminders = new Reminders({ ...state, settings: settings.todo, mode: () => permission.mode, emit });
  const ports: LoopPorts = {
    ...createLoopPorts(options, state, tooling, questions),
    emit,
    nextReminder: () => reminders.nextReminder(),
    mustPause: () => compactor.due(),
  };
  const fallback = new Fallback({
    registry,
    choice,
    role: options.role ?? "default",
    settings: settings.retry,
    emit,
    now: Date.now,
  });
  const driver = new Driver({ ports, queue, transcript, fallback, upkeep: compactor, retry: () => settings.retry });
  return { ...state, ...tooling, ...questions, compactor, reminders, fallback, driver };
}

function createLoopPorts(
  options: SessionOptions,
  { transcript, queue, previews, choice, place, permission, marks }: State,
  { toolbox, shorten }: Tooling,
  { ask }: Requests,
): Omit<LoopPorts, "emit" | "mustPause"> {
  const { rules, person, guard, hooks } = options;
  return {
    ask: (question) => ask(question),
    makeBlankAnswer: () => blankAnswer(choice.require(), choice.thinking),
    conversation: () => transcript.messages,
    record: (message) => transcript.record(message),
    queue,
    previews,
    canForce: () => choice.model !== undefined && canForce(choice.model),
    tools: () => toolbox.listTools(),
    place,
    context: (callId, signal, progress) => toolbox.context(callId, signal, progress),
    decide: (actions) => permission.decide(actions),
    grant: (actions) => permission.grant(actions),
    person,
    guard,
    hooks,
    watch: rules?.watch,
    touched: (actions) => rules?.injectFor(actions),
    recordInjection({ rules: injected }) {
      transcript.store.append({ type: "ttsr_injection", injectedRules: injected.map((rule) => rule.name) });
    },
    shorten,
    settleCalls: () => marks.settle(),
    now: Date.now,
    graceMs: options.graceMs ?? GRACE_MS,
  };
}
