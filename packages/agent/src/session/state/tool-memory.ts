import type { ToolMemory } from "../../contract/tool.ts";

/** What tools remember over the calls of one session. `dispose` lets go of all of it, latest first. */
export class ToolMemoryStore implements ToolMemory {
  readonly #stored = new Map<string, { value: unknown; dispose?: () => void | Promise<void> }>();

  get<Value>(key: string, make: () => Value, dispose?: (value: Value) => void | Promise<void>): Value {
    const known = this.#stored.get(key);
    if (known) return known.value as Value;
    const value = make();
    this.#stored.set(key, { value, ...(dispose && { dispose: () => dispose(value) }) });
    return value;
  }

  /** One that fails does not keep the others. */
  async dispose(): Promise<void> {
    const all = [...this.#stored.values()].reverse();
    this.#stored.clear();
    for (const each of all) {
      try {
        await each.dispose?.();
      } catch {
        // What cannot be let go of must not keep the session from ending.
      }
    }
  }
}
