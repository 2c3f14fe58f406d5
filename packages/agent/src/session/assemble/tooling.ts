import type { AgentEvent } from "../../contract/events.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { redactOwnerToken } from "../../secrets/owner-token.ts";
import type { Settings } from "../../settings/schema.ts";
import type { SessionOptions } from "../options.ts";
import type { Transcript } from "../state/transcript.ts";
import type { SessionHandle } from "../tools/equipment.ts";
import { type SpillLimits, shortenOutput } from "../tools/spill.ts";
import { Toolbox } from "../tools/toolbox.ts";
import { UserBash } from "../tools/user-bash.ts";
import type { State } from "./state.ts";

export type Tooling = ReturnType<typeof createTooling>;

/** Creates the tools of a session, the runner for the user's commands, and the spilling of long output. */
export function createTooling(options: SessionOptions, state: State, emit: (event: AgentEvent) => void) {
  const { place, transcript, previews, memory, settings, permission } = state;
  const owner = redactOwnerToken(place.env);
  const toolbox = new Toolbox({
    owner,
    place,
    previews,
    person: options.person,
    memory: () => memory.now,
    keep: (text, tool) => transcript.store.keepArtifact(owner.redact(text), tool),
    readArtifact: (id) => transcript.store.readArtifact(id),
  });
  const equipment = options.equip?.(createSessionHandle(state, emit));
  toolbox.setTools("built-in", options.tools ?? []);
  if (equipment) toolbox.setTools("equipment", () => equipment.tools());
  toolbox.setUrls("built-in", { ...options.urls, ...equipment?.urls });
  if (options.rules) toolbox.setUrls("rules", { rule: options.rules.urls });
  const limits = limitsOf(settings);
  const shell = equipment?.shell ?? options.shell;
  const bash = new UserBash({
    shell: shell && {
      actions: (command) => shell.actions(command),
      run: async (command, run) => {
        const output = owner.stream(run.output);
        const result = await shell.run(command, { ...run, output: output.push });
        output.end();
        return result;
      },
    },
    person: options.person,
    mode: () => permission.mode,
    decide: (actions) => permission.decide(actions),
    grant: (actions) => permission.grant(actions),
    limits,
    keep: (text) => transcript.store.keepArtifact(text, "bash"),
    record: (message) => transcript.record(message),
    emit,
  });
  const shorten = (output: ToolOutput, tool: string) =>
    shortenOutput(owner.redact(output), limits, (text) => keepIfPossible(transcript, text, tool));
  return { toolbox, equipment, bash, shorten };
}

function createSessionHandle(state: State, emit: (event: AgentEvent) => void): SessionHandle {
  const { transcript, permission, choice, previews, todos, marks, queue } = state;
  return {
    store: () => transcript.store,
    mode: () => permission.mode,
    model: () => choice.model,
    thinking: () => choice.thinking,
    messages: () => transcript.messages,
    pending: previews,
    todos: { get: () => todos.phases, set: (phases) => void todos.set(phases) },
    marks,
    note(text, source) {
      const message = { role: "custom" as const, customType: source, content: text, display: true };
      queue.note({ message: { ...message, timestamp: Date.now() } });
      emit({ type: "notice", level: "info", message: text, source });
    },
    addContext(text, source) {
      const message = { role: "custom" as const, customType: source, content: text, display: false };
      queue.note({ message: { ...message, timestamp: Date.now() } });
    },
    warn: (message, source) => emit({ type: "notice", level: "warning", message, source }),
    publish: emit,
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

/** A full disk must not turn a tool's result into a failure. */
function keepIfPossible(transcript: Transcript, text: string, tool: string): string | undefined {
  try {
    return transcript.store.keepArtifact(text, tool);
  } catch {
    return undefined;
  }
}
