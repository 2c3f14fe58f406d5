import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bareEnvironment, GANTRY } from "../../child.ts";
import { inRounds, type Line, withServer } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { median } from "../../measure.ts";

const EMPTY = "node -e 0";

/** What a command of the CLI costs. */
export const cli: Line = {
  name: "cli",
  async run(context) {
    const runs = context.pick({ full: 15, quick: 5, smoke: 1 });
    const times = await withServer(context, gantry, async (server, home) => {
      await server.open();
      const env = { ...bareEnvironment(home, server.mark), GANTRY_HOME: join(home, "gantry") };
      return inRounds(context, "cli", runs + 1, [
        { name: "gantry", run: async () => measureMs([...GANTRY, "ls"], env) },
        { name: EMPTY, run: async () => measureMs([process.execPath, "-e", "0"], env) },
      ]);
    });
    // The first run fills caches.
    const medianOf = (name: string) => {
      const outcome = times[name];
      return outcome && "result" in outcome ? median(outcome.result.slice(1)) : Number.NaN;
    };
    return {
      name: "cli",
      title: "A command of the CLI",
      about: `\`gantry ls\` with a running daemon and one session, from the start of the process to its end, as the installed command starts it, with Node's compile cache warm. Median of ${runs}; the floor is a Node process that does nothing, started in turn with it.`,
      rows: [
        { what: "`gantry ls`", unit: "ms", gantry: medianOf("gantry"), floor: { what: EMPTY, value: medianOf(EMPTY) } },
      ],
    };
  },
};

function measureMs([program = "", ...args]: readonly string[], env: Record<string, string>): number {
  const from = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return ms;
}
