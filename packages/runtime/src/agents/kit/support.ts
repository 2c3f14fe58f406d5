import type { KitSupport } from "@gantry/protocol";
import type { Channel } from "../contract.ts";

/** What of a kit a channel hands over by its agent's own means, as it is told to clients. */
export function kitSupport({ takes }: Channel<never>): KitSupport {
  return {
    servers: (takes?.servers ?? []).length > 0,
    skills: takes?.skills ? "own" : "prompt",
    instructions: takes?.instructions ? "own" : "prompt",
  };
}
