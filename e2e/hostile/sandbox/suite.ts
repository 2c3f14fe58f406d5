import type { Attack, Outcome, Suite } from "../attack.ts";
import { type JailUser, jailUsers, startJail } from "./jail.ts";
import { PROBES } from "./probes/all.ts";
import type { ProbeResult } from "./runner.ts";

/** The attacks on the sandbox of Gantry's own agent, by root and by another user. */
export const sandboxSuite: Suite = {
  name: "sandbox",
  about:
    "Commands and code of Gantry's own agent try to reach files, sockets, pipes, processes and devices outside of the sandbox.",
  async open() {
    const users = jailUsers();
    if (typeof users === "string") return { attacks: skipAll(users), close: async () => {} };
    const jails = users.map(openJail);
    return {
      attacks: jails.flatMap(({ attacks }) => attacks),
      async close() {
        for (const { child } of jails) child.kill("SIGKILL");
        await Promise.all(jails.map(({ ended }) => ended));
      },
    };
  },
};

function skipAll(reason: string): Attack[] {
  return PROBES.map(({ name, class: group }) => ({ name, class: group, run: async () => ({ skipped: reason }) }));
}

/** Runs the probes at once in the background. An attack waits for the result of its probe. */
function openJail(user: JailUser) {
  const results = new Map<string, PromiseWithResolvers<Outcome>>();
  const keyOf = (probe: { class: string; name: string }) => `${probe.class}: ${probe.name}`;
  for (const probe of PROBES) results.set(keyOf(probe), Promise.withResolvers<Outcome>());
  const settleAll = (outcome: Outcome) => {
    for (const { resolve } of results.values()) resolve(outcome);
  };
  const { child, ended } = startJail(user, (line) => {
    const result = JSON.parse(line) as ProbeResult | { skipped: string };
    if ("skipped" in result) return settleAll(result);
    const effect = result.effects.join("; ");
    results.get(keyOf(result))?.resolve(effect === "" ? { held: true } : { held: false, effect });
  });
  const stopped = ended.then((errors) => settleAll({ held: false, effect: `The jail ended early. ${errors}`.trim() }));
  const attacks: Attack[] = PROBES.map((probe) => ({
    name: `${probe.name} (${user.name})`,
    class: probe.class,
    run: () => results.get(keyOf(probe))!.promise,
  }));
  return { attacks, child, ended: stopped };
}
