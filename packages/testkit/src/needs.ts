import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Something that a test needs from the machine and that not every machine has. */
export type Requirement = { met: boolean; reason: string };

export const LINUX: Requirement = {
  met: process.platform === "linux",
  reason: "This test reads /proc, which Linux has.",
};

export const TMUX: Requirement = {
  met: (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "tmux"))),
  reason: "This test drives a real terminal. Install tmux.",
};

/** Reasons for tests that run only inside a working sandbox, and for those that download vendors' programs. */
export const SANDBOX = { reason: "No sandbox works here. Linux: install bubblewrap." };
export const REAL_AGENTS = { reason: "The vendors' programs are downloaded only with GANTRY_REAL_AGENTS=1." };

/**
 * Options for a test or suite that is skipped when a requirement is not met. The reporter groups skipped tests by reason.
 * `describe.skipIf(!CHROMIUM.met)("the board", needs(CHROMIUM), () => …)`
 */
export function needs({ reason }: Pick<Requirement, "reason">): { meta: { needs: string } } {
  return { meta: { needs: reason } };
}
