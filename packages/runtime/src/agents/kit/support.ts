import type { KitSupport } from "@gantry/protocol";
import type { Channel, ServerKind } from "../contract.ts";
import { isAtLeast } from "../probing/fallback.ts";

/** The kit support of a channel of the installed version, as reported to clients. */
export function kitSupport(channel: Channel<never>, version?: string): KitSupport {
  return {
    servers: serverKinds(channel, version).length > 0,
    skills: takesSkills(channel, version) ? "own" : "prompt",
    instructions: channel.takes?.instructions ? "own" : "prompt",
  };
}

/** Whether the channel passes skills on. Otherwise the first prompt names them. */
export function takesSkills({ takes }: Channel<never>, version = ""): boolean {
  if (takes?.skillsSince && !isAtLeast(version, takes.skillsSince)) return false;
  return takes?.skills === true;
}

/** The kinds of MCP servers that the channel passes on. */
export function serverKinds({ takes }: Channel<never>, version = ""): readonly ServerKind[] {
  if (takes?.serversSince && !isAtLeast(version, takes.serversSince)) return [];
  return takes?.servers ?? [];
}
