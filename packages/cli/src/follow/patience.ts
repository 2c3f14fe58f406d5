import type { Reconnect } from "@gantry/client";
import { CommandError } from "../program/errors.ts";
import { exitCodes } from "../program/exit-codes.ts";

/** About half a minute of tries, each a little later than the one before. */
const ATTEMPTS = 10;

/**
 * What to do while the daemon does not answer: say so once, and give up in the end. A daemon that is started again in
 * the meantime is found, and nothing is missed.
 */
export function patience(say: (text: string) => void): (reconnect: Reconnect) => void {
  return ({ attempt, error }) => {
    if (!error) return;
    if (attempt === 3) say("the daemon does not answer; trying again…");
    if (attempt < ATTEMPTS) return;
    throw new CommandError(exitCodes.environment, "unavailable", "The daemon has gone away.", {
      kept: "The session is on disk, and an agent that was left running goes on.",
      remedy: "Start it again with `gantry serve` and come back with `gantry attach last`.",
    });
  };
}
