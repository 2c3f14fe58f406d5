import type { FullModelRegistry, Model } from "@gantry/models";
import type { MemoryQuestion } from "./port.ts";

/** Roles of `modelRoles` that choose another model than the session's. */
const ROLES: Record<MemoryQuestion["step"], readonly string[]> = {
  extract: ["memory"],
  consolidate: ["memory", "smol"],
};

/** The model of a configured role, else the session's model, else the default. */
export function memoryModel(
  registry: Pick<FullModelRegistry, "resolve" | "initial" | "ready">,
  step: MemoryQuestion["step"],
  ofSession: Model | undefined,
): Model | undefined {
  for (const role of ROLES[step]) {
    const model = registry.resolve(`gantry/${role}`)?.model;
    if (model && registry.ready(model)) return model;
  }
  return ofSession ?? (registry.resolve("gantry/default") ?? registry.initial())?.model;
}
