import type { KitSupport } from "@gantry/protocol";
import type { Channel } from "../contract.ts";

/** The kit support of a channel, as reported to clients. */
export function kitSupport({ takes }: Channel<never>): KitSupport {
  return {
    servers: (takes?.servers ?? []).length > 0,
    skills: takes?.skills ? "own" : "prompt",
    instructions: takes?.instructions ? "own" : "prompt",
  };
}
