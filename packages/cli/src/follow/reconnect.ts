import type { Reconnect } from "@gantry/client";
import { CommandError } from "../program/errors.ts";
import { exitCodes } from "../program/exit-codes.ts";

/** About half a minute of attempts with back-off. */
const ATTEMPTS = 10;

/**
 * Handles reconnects: prints one notice, then throws after the last attempt. A daemon that restarts in the meantime is
 * found again and no event is lost.
 */
export function reportReconnects(print: (text: string) => void): (reconnect: Reconnect) => void {
  return ({ attempt, error }) => {
    if (!error) return;
    if (attempt === 3) print("the daemon does not respond; reconnecting…");
    if (attempt < ATTEMPTS) return;
    throw new CommandError(exitCodes.environment, "unavailable", "The connection to the daemon is lost.", {
      preserved: "The session is on disk, and a running agent continues.",
      remedy: "Start it again with `gantry serve` and come back with `gantry attach last`.",
    });
  };
}
