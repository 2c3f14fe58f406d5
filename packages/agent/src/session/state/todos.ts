import type { AgentEvent, TodoPhase, TodoTask } from "../../contract/events.ts";
import type { Transcript } from "./transcript.ts";

const TODOS = "todos";

export type TodosParts = {
  transcript: Transcript;
  emit(event: AgentEvent): void;
  /** Seconds until a finished task leaves the list; negative: never. */
  clearDelay: number;
};

/**
 * The todo list of the model and the user. Stored in the session file and restored on resume. Completed and abandoned
 * tasks leave the list after a delay.
 */
export class Todos {
  readonly #parts: TodosParts;
  #phases: TodoPhase[] = [];
  #clearing: NodeJS.Timeout | undefined;

  constructor(parts: TodosParts) {
    this.#parts = parts;
    this.restore();
  }

  get phases(): TodoPhase[] {
    return structuredClone(this.#phases);
  }

  /** The tasks that are not finished. */
  get open(): TodoTask[] {
    return this.phases.flatMap(({ tasks }) => tasks.filter((task) => !isFinished(task)));
  }

  set(phases: readonly TodoPhase[]): TodoPhase[] {
    this.#replace(phases);
    this.#clearLater();
    return this.phases;
  }

  /** Stores the list in a branch that lacks it. */
  persist(): void {
    if (JSON.stringify(this.#readStoredPhases()) !== JSON.stringify(this.#phases)) this.#write(this.#phases);
  }

  /** Re-reads the list after a switch to another branch or session. */
  restore(): void {
    this.#phases = this.#readStoredPhases();
    this.#clearLater();
  }

  stop(): void {
    clearTimeout(this.#clearing);
  }

  #replace(phases: readonly TodoPhase[]): void {
    const copy = structuredClone([...phases]);
    this.#write(copy);
    this.#phases = copy;
    this.#parts.emit({ type: "todos_changed", phases: this.phases });
  }

  #write(phases: TodoPhase[]): void {
    this.#parts.transcript.store.append({ type: "custom", customType: TODOS, data: phases });
  }

  #readStoredPhases(): TodoPhase[] {
    const path = this.#parts.transcript.store.path();
    const last = path.findLast((entry) => entry.type === "custom" && entry.customType === TODOS);
    return last?.type === "custom" && Array.isArray(last.data) ? (last.data as TodoPhase[]) : [];
  }

  /** Each change restarts the delay, so that a list in use does not lose its tasks one by one. */
  #clearLater(): void {
    clearTimeout(this.#clearing);
    const { clearDelay, transcript } = this.#parts;
    const { store } = transcript;
    if (clearDelay < 0 || store.readOnly || !this.#phases.some(({ tasks }) => tasks.some(isFinished))) return;
    const clear = () => {
      // The conversation that it was begun for may have been left.
      if (transcript.store === store) this.#clear();
    };
    this.#clearing = setTimeout(clear, clearDelay * 1000).unref();
  }

  #clear(): void {
    const left = this.#phases.map((phase) => ({ ...phase, tasks: phase.tasks.filter((task) => !isFinished(task)) }));
    this.#replace(left.filter(({ tasks }) => tasks.length > 0));
    this.#parts.emit({ type: "todo_auto_clear" });
  }
}

function isFinished({ status }: TodoTask): boolean {
  return status === "completed" || status === "abandoned";
}
