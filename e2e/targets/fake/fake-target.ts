import type { Target } from "../target.ts";

/** What all fakes of the testkit that follow the scripted model have in common. */
export const FAKE = {
  keyVariables: [],
  questionMode: "ask",
  outputLimit: 120_000,
  awaitsSubagents: true,
  // A fake has no configuration: the cells show which modes Gantry cannot enforce.
  configure: { permissive: () => undefined },
} as const satisfies Partial<Target>;
