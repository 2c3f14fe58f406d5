import type { AgentEvent, TodoPhase } from "../events.ts";
import type { Transcript } from "./transcript.ts";

const TODOS = "todos";

/** What is to be done, as the model or the user keeps it. Kept in the file, so that it is there again on resume. */
export class Todos {
  readonly #transcript: Transcript;
  readonly #emit: (event: AgentEvent) => void;
  #phases: TodoPhase[] = [];

  constructor(transcript: Transcript, emit: (event: AgentEvent) => void) {
    this.#transcript = transcript;
    this.#emit = emit;
    this.restore();
  }

  get phases(): TodoPhase[] {
    return structuredClone(this.#phases);
  }

  set(phases: readonly TodoPhase[]): TodoPhase[] {
    const kept = structuredClone([...phases]);
    this.#transcript.store.append({ type: "custom", customType: TODOS, data: kept });
    this.#phases = kept;
    this.#emit({ type: "todos_changed", phases: this.phases });
    return this.phases;
  }

  restore(): void {
    const last = this.#transcript.store
      .path()
      .findLast((entry) => entry.type === "custom" && entry.customType === TODOS);
    this.#phases = last?.type === "custom" && Array.isArray(last.data) ? (last.data as TodoPhase[]) : [];
  }
}
