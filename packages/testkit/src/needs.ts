/** Something that a test needs from the machine and that not every machine has. */
export type Requirement = { met: boolean; reason: string };

export const LINUX: Requirement = {
  met: process.platform === "linux",
  reason: "This test reads /proc, which Linux has.",
};

/**
 * Options for a test or suite that is skipped when a requirement is not met. The reporter groups skipped tests by reason.
 * `describe.skipIf(!CHROMIUM.met)("the board", needs(CHROMIUM), () => …)`
 */
export function needs({ reason }: Pick<Requirement, "reason">): { meta: { needs: string } } {
  return { meta: { needs: reason } };
}
