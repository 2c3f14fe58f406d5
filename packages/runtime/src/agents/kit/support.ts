import type { KitSupport } from "@gantry/protocol";
import type { Channel, ServerKind } from "../contract.ts";
import { isAtLeast } from "../probing/fallback.ts";

/** The kit support of a channel of the installed version, as reported to clients. */
export function kitSupport(channel: Channel<never>, version?: string): KitSupport {
  const { takes } = channel;
  return {
    servers: serverKinds(channel, version).length > 0,
    skills: takes?.skills ? "own" : "prompt",
    instructions: takes?.instructions ? "own" : "prompt",
  };
}

/** The kinds of MCP servers that the channel passes on. */
export function serverKinds({ takes }: Channel<never>, version = ""): readonly ServerKind[] {
  if (takes?.serversSince && !isAtLeast(version, takes.serversSince)) return [];
  return takes?.servers ?? [];
}
