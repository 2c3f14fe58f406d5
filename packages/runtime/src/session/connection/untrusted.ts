import { type Failure, failure, GantryError, type SessionView } from "@gantry/protocol";
import { type TrustItem, trustCommand } from "@gantry/trust";
import { appliedMode } from "../../agents/applied-mode.ts";
import type { Agent, Channel } from "../../agents/contract.ts";
import { isAtLeast } from "../../agents/probing/fallback.ts";

const MOST_SHOWN = 5;

/** `version` is the installed one; without it, any version counts. */
type Place = Pick<SessionView, "mode" | "cwd"> & { version?: string | undefined };

/** The refusal of a session whose agent has no channel that could ignore the project's code. */
export function requireIgnorable(agent: Agent, place: Place, withheld: readonly TrustItem[]): void {
  // The first channel of the other program is not used with this one.
  const other = agent.otherwise?.channels[0]?.name;
  const channels = agent.channels.filter(({ name }) => name !== other);
  const refusal = untrustedFailure(agent, channels, place, withheld);
  if (!refusal) return;
  const items = withheld.map(({ kind, name, file, command }) => ({ kind, name, file, command }));
  const { message, remedy } = refusal;
  throw new GantryError("untrusted", message, { remedy, details: { path: place.cwd, items } });
}

/**
 * `undefined` if nothing is withheld, or one of the channels can start the agent without it in the session's mode.
 */
export function untrustedFailure(
  agent: Agent,
  channels: readonly Channel<never>[],
  { mode, cwd, version }: Place,
  withheld: readonly TrustItem[],
): Failure | undefined {
  if (withheld.length === 0) return undefined;
  const applied = appliedMode(agent, mode);
  const able = channels.flatMap(({ ignoresProject }) => ignoresProject ?? []);
  const free = able
    .filter(({ since }) => version === undefined || isAtLeast(version, since))
    .flatMap(({ modes }) => modes);
  if (free.includes(applied)) return undefined;
  const message =
    `${agent.name} was not started. This folder supplies files that make it run code, you have not trusted them, and ` +
    `it cannot ignore them${free.length > 0 ? ` in ${applied} mode` : ""}: ${listFiles(withheld)}.`;
  const other = free.length > 0 ? `, or use the mode ${[...new Set(free)].join(" or ")}` : ", or use another agent";
  return failure("refused", message, `Look at them and decide: ${trustCommand(cwd)}${other}.`);
}

/** Names what the agent was started without. `undefined` if that is nothing. */
export function untrustedNotice(agent: Agent, cwd: string, withheld: readonly TrustItem[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const what = `${agent.name} was started without the project's own configuration, because you have not trusted it`;
  return `${what}: ${listFiles(withheld)}. Look at it and decide: ${trustCommand(cwd)}`;
}

function listFiles(items: readonly TrustItem[]): string {
  const names = [...new Set(items.map(({ command }) => command))];
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "";
  return `${names.slice(0, MOST_SHOWN).join(", ")}${more}`;
}
