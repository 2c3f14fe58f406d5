import { writeFakeAgent } from "@gantry/testkit";
import type { Target } from "../target.ts";
import { FAKE } from "./fake-target.ts";

const qoder: Omit<Target, "version" | "name"> = {
  ...FAKE,
  agent: "qoder",
  fake: {
    from: "a recording of the greeting of Qoder CLI, the modes in its program, and the protocol",
    write: (dir) => writeFakeAgent({ dir, dialect: "qoder", script: "model" }),
  },
  otherModel: "scripted-other",
  lists: true,
  cannot: {
    "edit-input": "Qoder accepts only yes or no for a permission request; the answer cannot change what it runs.",
    steer: "Qoder's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    "plan-mode": "Qoder has no plan-only mode over the Agent Client Protocol.",
  },
};

export const qoderTargets: readonly Target[] = [{ ...qoder, version: "1.1.52", name: "Qoder 1.1.52", partial: true }];
