import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@gantry/client";
import type { Lane, SetupLog } from "@gantry/protocol";
import type { Output } from "../../program/output.ts";

const LOOK_MS = 200;

/** Prints what a set-up prints, on stderr, until it has ended. */
export async function followSetup(client: Client, lane: string, output: Output): Promise<SetupLog> {
  for (let shown = 0; ; ) {
    const setup = await client.lanes.setup(lane);
    const text = Buffer.from(setup.log);
    const fresh = text.subarray(Math.max(0, text.length - (setup.bytes - shown)));
    if (fresh.length > 0 && !output.json) output.note(fresh.toString("utf8").replace(/\n$/, ""));
    shown = setup.bytes;
    if (setup.state !== "running") return setup;
    await sleep(LOOK_MS);
  }
}

/** Whether the set-up of a new lane runs, or waits for trust. */
export function isSetupOpen({ setup }: Lane): boolean {
  return setup.state === "running" || setup.state === "untrusted";
}

/** The text for the end of a set-up of the lane. */
export function setupEnd(
  { state, exitCode, command = "" }: SetupLog,
  { repository }: Pick<Lane, "repository">,
): string {
  if (state === "untrusted")
    return `The set-up was not run, because you have not trusted it: ${command}. The lane can be used. Allow it: gantry trust ${repository}`;
  if (state === "timeout") return "The set-up timed out and was stopped; the lane can still be used.";
  if (state === "failed")
    return `The set-up failed${exitCode === undefined ? "" : ` with ${exitCode}`}; the lane can still be used.`;
  return state === "ok" ? "The set-up is done." : "There is no set-up.";
}
