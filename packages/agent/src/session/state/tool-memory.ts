import type { ToolMemory } from "../../contract/tool.ts";

/** Values that tools keep between calls of one session. `dispose` disposes them in reverse order of creation. */
export class ToolMemoryStore implements ToolMemory {
  readonly #stored = new Map<string, { value: unknown; dispose?: () => void | Promise<void> }>();

  get<Value>(key: string, make: () => Value, dispose?: (value: Value) => void | Promise<void>): Value {
    const known = this.#stored.get(key);
    if (known) return known.value as Value;
    const value = make();
    this.#stored.set(key, { value, ...(dispose && { dispose: () => dispose(value) }) });
    return value;
  }

  /** A failing value does not prevent the others from being disposed. */
  async dispose(): Promise<void> {
    const all = [...this.#stored.values()].reverse();
    this.#stored.clear();
    for (const each of all) {
      try {
        await each.dispose?.();
      } catch {
        // A failing disposal must not prevent the session from ending.
      }
    }
  }
}
