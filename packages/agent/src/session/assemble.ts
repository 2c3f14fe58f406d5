import type { Model } from "@gantry/models";
import { askForText } from "../compaction/asking.ts";
import { Compactor } from "../compaction/compactor.ts";
import { ofText } from "../compaction/estimate.ts";
import { SUMMARISER } from "../compaction/wording.ts";
import type { AgentEvent } from "../events.ts";
import { canForce, ForcedChoices } from "../loop/choices.ts";
import type { LoopPorts } from "../loop/ports.ts";
import { systemPrompt } from "../prompt/system.ts";
import { DEFAULT_SETTINGS, type Settings } from "../settings/schema.ts";
import type { ToolPlace } from "../tools/tool.ts";
import { type AskerParts, askModel, blankAnswer, type ModelQuestion } from "./drive/asking.ts";
import { Driver } from "./drive/driver.ts";
import { Fallback } from "./drive/fallback.ts";
import { withIntent } from "./drive/intent.ts";
import { SessionMemory } from "./memory.ts";
import { ModelChoice } from "./model-choice.ts";
import type { AgentSessionOptions } from "./options.ts";
import { Permission } from "./permission.ts";
import { MessageQueue } from "./queue.ts";
import { type SpillLimits, shortenOutput } from "./spill.ts";
import { Toolbox } from "./toolbox.ts";
import { Transcript } from "./transcript.ts";
import { UserBash } from "./user-bash.ts";

const GRACE_MS = 5_000;

/** What was looked at once, at the start. */
export type Surroundings = { day: string; platform: string; gitBranch?: string };

/** The parts of a session, each of which does one thing. */
export type SessionParts = ReturnType<typeof assemble>;

export function assemble(
  options: AgentSessionOptions,
  surroundings: Surroundings,
  emit: (event: AgentEvent) => void,
  handoff: (signal: AbortSignal) => Promise<unknown>,
) {
  const settings: Settings = structuredClone(options.settings ?? DEFAULT_SETTINGS);
  const place: ToolPlace = { cwd: options.cwd, folders: options.folders ?? [], env: options.env ?? process.env };
  const transcript = new Transcript(options.store);
  const queue = new MessageQueue(settings, emit);
  const choices = new ForcedChoices();
  const memory = { now: new SessionMemory() };
  const choice = new ModelChoice({
    registry: options.registry,
    transcript,
    emit,
    selector: options.model,
    thinking: options.thinking,
    defaultThinking: settings.defaultThinkingLevel,
    scoped: options.scoped,
  });
  const mode = options.mode ?? settings.permissions.mode;
  const permission = new Permission(mode, place, { decide: options.decide, person: options.person !== undefined });
  const toolbox = new Toolbox({
    place,
    choices,
    person: options.person,
    memory: () => memory.now,
    keep: (text, tool) => transcript.store.keepArtifact(text, tool),
    readArtifact: (id) => transcript.store.readArtifact(id),
  });
  toolbox.setTools("built-in", options.tools ?? []);
  if (options.urls) toolbox.setUrls("built-in", options.urls);
  if (options.rules) toolbox.setUrls("rules", { rule: options.rules.urls });
  options.rules?.restore(transcript.store.branch().injectedRules);
  const system = () =>
    systemPrompt({
      ...surroundings,
      ...(options.systemPrompt === undefined ? {} : { custom: options.systemPrompt }),
      ...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
      tools: toolbox.all(),
      schemes: toolbox.schemes(),
      rules: options.rules?.system() ?? [],
      mode: permission.mode,
      cwd: place.cwd,
      folders: place.folders,
    });
  const limits = limitsOf(settings);
  const asker: AskerParts = options;
  const fixed = () => ofText(system().join("\n")) + ofText(JSON.stringify(toolbox.offered()));
  /** Asks the model that is chosen now, as the conversation does. */
  const ask = (question: Pick<ModelQuestion, "messages" | "signal" | "toolChoice">, model: Model = choice.require()) =>
    askModel(asker, model, {
      ...question,
      ...sampling(settings),
      system: system(),
      tools: toolbox.offered().map((spec) => (settings.tools.intentTracing ? withIntent(spec) : spec)),
      thinking: options.registry.clamp(model, choice.thinking),
      sessionId: transcript.store.header.id,
    });
  /** Asks for a summary: no tools, little thinking. */
  const askText = (prompt: string, signal: AbortSignal) => {
    const model = choice.require();
    const question = {
      system: [SUMMARISER],
      messages: [{ role: "user" as const, content: prompt, timestamp: Date.now() }],
      tools: [],
      thinking: options.registry.clamp(model, "off"),
      maxTokens: Math.min(model.maxTokens, Math.floor(settings.compaction.reserveTokens * 0.8)),
      sessionId: transcript.store.header.id,
      signal,
    };
    return askForText({ signal }, () => askModel(asker, model, question), settings.retry, options.guard);
  };
  const compactor = new Compactor({
    transcript,
    choice,
    registry: options.registry,
    settings,
    emit,
    fixed,
    ask: askText,
    handoff,
  });
  const ports: LoopPorts = {
    ask: (question) => ask(question),
    blank: () => blankAnswer(choice.require(), choice.thinking),
    conversation: () => transcript.messages,
    record: (message) => transcript.record(message),
    emit,
    queue,
    choices,
    canForce: () => choice.model !== undefined && canForce(choice.model),
    tools: () => toolbox.all(),
    place,
    context: (callId, signal, progress) => toolbox.context(callId, signal, progress),
    decide: (actions) => permission.decide(actions),
    grant: (actions) => permission.grant(actions),
    person: options.person,
    guard: options.guard,
    watch: options.rules?.watch,
    touched: (actions) => options.rules?.touched(actions),
    injected: ({ rules }) => {
      transcript.store.append({ type: "ttsr_injection", injectedRules: rules.map((rule) => rule.name) });
    },
    shorten: (output, tool) => shortenOutput(output, limits, (text) => keepIfPossible(transcript, text, tool)),
    mustPause: () => compactor.due(),
    now: Date.now,
    graceMs: options.graceMs ?? GRACE_MS,
  };
  const fallback = new Fallback({
    registry: options.registry,
    choice,
    role: options.role ?? "default",
    settings: settings.retry,
    emit,
    now: Date.now,
  });
  const driver = new Driver({ ports, queue, transcript, fallback, upkeep: compactor, retry: () => settings.retry });
  const bash = new UserBash({
    shell: options.shell,
    cwd: place.cwd,
    limits,
    keep: (text) => transcript.store.keepArtifact(text, "bash"),
    record: (message) => transcript.record(message),
    emit,
  });
  return {
    settings,
    place,
    transcript,
    queue,
    choices,
    memory,
    choice,
    permission,
    toolbox,
    system,
    ask,
    compactor,
    fallback,
    driver,
    bash,
  };
}

function sampling(settings: Settings): { temperature?: number; topP?: number } {
  return {
    ...(settings.temperature >= 0 ? { temperature: settings.temperature } : {}),
    ...(settings.topP >= 0 ? { topP: settings.topP } : {}),
  };
}

function limitsOf({ tools }: Settings): SpillLimits {
  return {
    threshold: tools.artifactSpillThreshold * 1024,
    head: tools.artifactHeadBytes * 1024,
    tail: tools.artifactTailBytes * 1024,
    columns: tools.outputMaxColumns,
  };
}

/** A full disk must not turn the result of a tool into a failure. */
function keepIfPossible(transcript: Transcript, text: string, tool: string): string | undefined {
  try {
    return transcript.store.keepArtifact(text, tool);
  } catch {
    return undefined;
  }
}
