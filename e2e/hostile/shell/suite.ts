import type { Attack, Outcome, Suite } from "../attack.ts";
import { runInJail, whyNoJail } from "./jail.ts";
import { PROBES } from "./probes.ts";

/** Each probe runs with the sandbox, and without one, where only the classifier protects. */
const SETTINGS = [
  { name: "sandbox", sandbox: "required" },
  { name: "classifier alone", sandbox: "off" },
] as const;

/**
 * Plan-mode shell commands, run for real by the own agent: over RPC and as calls of the model. `open` runs them all, with one agent
 * process per setting; an attack only reports its result.
 */
export const shellSuite: Suite = {
  name: "shell",
  about: "A model or a client that has the own agent run a command in plan mode which is not only reading.",
  async open() {
    const missing = whyNoJail();
    const commands = PROBES.map(({ command }) => command);
    const attacks = await Promise.all(
      SETTINGS.map(async ({ name, sandbox }): Promise<Attack[]> => {
        const effects = missing === undefined ? await runInJail(commands, { sandbox, mode: "plan" }) : undefined;
        return PROBES.map((probe, at) => ({
          name: `${probe.command.replaceAll("\n", "¶")} [${name}]`,
          class: `${probe.class}, ${name}`,
          run: async () => outcomeOf(missing, effects?.get(at)),
        }));
      }),
    );
    return { attacks: attacks.flat(), close: async () => {} };
  },
};

function outcomeOf(missing: string | undefined, effect: string | undefined): Outcome {
  if (missing !== undefined) return { skipped: missing };
  return effect === undefined ? { held: true } : { held: false, effect };
}
