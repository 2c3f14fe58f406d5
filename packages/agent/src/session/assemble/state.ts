import type { AgentEvent } from "../../contract/events.ts";
import type { ToolPlace } from "../../contract/tool.ts";
import { PendingPreviews } from "../../loop/previews.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../settings/schema.ts";
import type { SessionOptions } from "../options.ts";
import { Marks } from "../state/marks.ts";
import { ModelChoice } from "../state/model-choice.ts";
import { Permission } from "../state/permission.ts";
import { MessageQueue } from "../state/queue.ts";
import { Todos } from "../state/todos.ts";
import { ToolMemoryStore } from "../state/tool-memory.ts";
import { Transcript } from "../state/transcript.ts";

export type State = ReturnType<typeof createSessionState>;

/** Creates the state of a session, restored from its file. */
export function createSessionState(options: SessionOptions, emit: (event: AgentEvent) => void) {
  const settings: Settings = structuredClone(options.settings ?? DEFAULT_SETTINGS);
  const place: ToolPlace = { cwd: options.cwd, folders: options.folders ?? [], env: options.env ?? process.env };
  const transcript = new Transcript(options.store);
  const choice = new ModelChoice({
    registry: options.registry,
    transcript,
    emit,
    selector: options.model,
    thinking: options.thinking,
    defaultThinking: settings.defaultThinkingLevel,
    scoped: options.scoped,
  });
  const permission = new Permission({
    transcript,
    place,
    fixedMode: options.mode,
    defaultMode: settings.permissions.mode,
    decide: options.decide,
    person: options.person !== undefined,
  });
  const todos = new Todos({ transcript, emit, clearDelay: settings.tasks.todoClearDelay });
  const marks = new Marks({
    transcript,
    onRewind() {
      choice.persist();
      permission.persist();
      todos.persist();
      options.rules?.restore(transcript.store.branch().injectedRules);
    },
  });
  options.rules?.restore(transcript.store.branch().injectedRules);
  return {
    settings,
    place,
    transcript,
    choice,
    permission,
    todos,
    marks,
    queue: new MessageQueue(settings, emit),
    previews: new PendingPreviews(),
    memory: { now: new ToolMemoryStore() },
  };
}
