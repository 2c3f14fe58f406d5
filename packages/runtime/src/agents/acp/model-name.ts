import type { Dialect } from "./dialect.ts";

/** What the provider calls a model that the agent knows under a name of its own. */
export function modelName<T extends string | undefined>({ modelName: pattern }: Dialect, id: T): T | string {
  return pattern?.exec(id ?? "")?.[1] ?? id;
}
