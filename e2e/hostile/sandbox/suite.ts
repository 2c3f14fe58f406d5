import type { Attack, Outcome, Suite } from "../attack.ts";
import { type JailUser, jailUsers, startJail } from "./jail.ts";
import type { Probe } from "./probe.ts";
import { PROBES } from "./probes/all.ts";
import type { ProbeResult } from "./runner.ts";

/**
 * The attacks on the sandbox of Gantry's own agent, by root and by another user. `open` carries all of them out, because
 * they share the commands that they run in; an attack returns its result.
 */
export const sandboxSuite: Suite = {
  name: "sandbox",
  about:
    "Commands and code of Gantry's own agent try to reach files, sockets, pipes, processes and devices outside of the sandbox.",
  async open() {
    const users = jailUsers();
    const attacks = typeof users === "string" ? skipAll(users) : await Promise.all(users.map(attackAs));
    return { attacks: attacks.flat(), close: async () => {} };
  },
};

function skipAll(reason: string): Attack[] {
  return PROBES.map(({ name, class: group }) => ({ name, class: group, run: async () => ({ skipped: reason }) }));
}

async function attackAs(user: JailUser): Promise<Attack[]> {
  const outcomes = new Map<string, Outcome>();
  let skipped: string | undefined;
  const errors = await startJail(user, (line) => {
    const result = JSON.parse(line) as ProbeResult | { skipped: string };
    if ("skipped" in result) skipped = result.skipped;
    else outcomes.set(keyOf(result), outcomeOf(result));
  });
  const missing: Outcome =
    skipped === undefined ? { held: false, effect: `The jail ended early. ${errors}`.trim() } : { skipped };
  return PROBES.map((probe) => ({
    name: `${probe.name} (${user.name})`,
    class: probe.class,
    run: async () => outcomes.get(keyOf(probe)) ?? missing,
  }));
}

function outcomeOf({ effects }: ProbeResult): Outcome {
  return effects.length === 0 ? { held: true } : { held: false, effect: effects.join("; ") };
}

function keyOf(probe: Pick<Probe, "class" | "name">): string {
  return `${probe.class}: ${probe.name}`;
}
