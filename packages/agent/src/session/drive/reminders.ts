import type { AgentEvent } from "../../contract/events.ts";
import type { Incoming } from "../../loop/ports.ts";
import type { PermissionMode } from "../../permissions/action.ts";
import type { Settings } from "../../settings/schema.ts";
import type { Marks } from "../state/marks.ts";
import type { Todos } from "../state/todos.ts";

export type RemindersParts = {
  todos: Todos;
  marks: Marks;
  settings: Settings["todo"];
  mode(): PermissionMode;
  emit(event: AgentEvent): void;
};

/** Reminds a model that stops with unfinished work, a limited number of times after each message of the user. */
export class Reminders {
  readonly #parts: RemindersParts;
  #todoReminders = 0;
  #markReminded = false;

  constructor(parts: RemindersParts) {
    this.#parts = parts;
  }

  /** Called for each new message of the user. */
  reset(): void {
    this.#todoReminders = 0;
    this.#markReminded = false;
  }

  nextReminder(): Incoming | undefined {
    return this.#mark() ?? this.#todo();
  }

  #mark(): Incoming | undefined {
    const open = this.#parts.marks.current();
    if (!open || this.#markReminded) return undefined;
    this.#markReminded = true;
    return makeReminder(
      "checkpoint-reminder",
      `The checkpoint "${open.goal}" is still open. Call \`rewind\` with a report of your findings, then answer.`,
    );
  }

  /** In plan mode, open todos are expected. */
  #todo(): Incoming | undefined {
    const { todos, settings, mode, emit } = this.#parts;
    const { open } = todos;
    const maxAttempts = settings.remindersMax;
    if (!settings.enabled || !settings.reminders || open.length === 0 || mode() === "plan") return undefined;
    if (this.#todoReminders >= maxAttempts) return undefined;
    this.#todoReminders += 1;
    const attempt = this.#todoReminders;
    emit({ type: "todo_reminder", todos: open, attempt, maxAttempts });
    const list = open.map(({ content, status }) => `- ${content}${status === "in_progress" ? " (in progress)" : ""}`);
    return makeReminder(
      "todo-reminder",
      `You stopped with open items on your list:\n${list.join("\n")}\nContinue with them, or update the list with \`todo_write\` if they are done or no longer needed. If you need an answer from the user first, ask for it. (Reminder ${attempt} of ${maxAttempts})`,
    );
  }
}

function makeReminder(customType: string, content: string): Incoming {
  return { message: { role: "custom", customType, content, display: false, timestamp: Date.now() } };
}
