import type { AgentEvent, TodoPhase, TodoTask } from "../../contract/events.ts";
import type { Transcript } from "./transcript.ts";

const TODOS = "todos";

export type TodosParts = {
  transcript: Transcript;
  emit(event: AgentEvent): void;
  /** Seconds after which a task that is over leaves the list; less than 0: never. */
  clearDelay: number;
};

/**
 * What is to be done, as the model or the user keeps it. Kept in the file, so that it is there again on resume. What is
 * done or given up leaves the list after a while.
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

  /** What still has to be done. */
  get open(): TodoTask[] {
    return this.phases.flatMap(({ tasks }) => tasks.filter((task) => !isOver(task)));
  }

  set(phases: readonly TodoPhase[]): TodoPhase[] {
    this.#keep(phases);
    this.#clearLater();
    return this.phases;
  }

  /** Writes the list into a branch that does not know it. */
  persist(): void {
    if (JSON.stringify(this.#stored()) !== JSON.stringify(this.#phases)) this.#write(this.#phases);
  }

  /** Another branch or session is the current one. */
  restore(): void {
    this.#phases = this.#stored();
    this.#clearLater();
  }

  stop(): void {
    clearTimeout(this.#clearing);
  }

  #keep(phases: readonly TodoPhase[]): void {
    const kept = structuredClone([...phases]);
    this.#write(kept);
    this.#phases = kept;
    this.#parts.emit({ type: "todos_changed", phases: this.phases });
  }

  #write(phases: TodoPhase[]): void {
    this.#parts.transcript.store.append({ type: "custom", customType: TODOS, data: phases });
  }

  #stored(): TodoPhase[] {
    const path = this.#parts.transcript.store.path();
    const last = path.findLast((entry) => entry.type === "custom" && entry.customType === TODOS);
    return last?.type === "custom" && Array.isArray(last.data) ? (last.data as TodoPhase[]) : [];
  }

  /** Every change begins the time anew, so that a list that is worked on does not lose its lines one by one. */
  #clearLater(): void {
    clearTimeout(this.#clearing);
    const { clearDelay, transcript } = this.#parts;
    const { store } = transcript;
    if (clearDelay < 0 || store.readOnly || !this.#phases.some(({ tasks }) => tasks.some(isOver))) return;
    const clear = () => {
      // The conversation that it was begun for may have been left.
      if (transcript.store === store) this.#clear();
    };
    this.#clearing = setTimeout(clear, clearDelay * 1000).unref();
  }

  #clear(): void {
    const left = this.#phases.map((phase) => ({ ...phase, tasks: phase.tasks.filter((task) => !isOver(task)) }));
    this.#keep(left.filter(({ tasks }) => tasks.length > 0));
    this.#parts.emit({ type: "todo_auto_clear" });
  }
}

function isOver({ status }: TodoTask): boolean {
  return status === "completed" || status === "abandoned";
}
