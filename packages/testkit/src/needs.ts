/** Something that a test needs from the machine and that not every machine has. */
export type Requirement = { met: boolean; reason: string };

/**
 * Options for a test or suite that is skipped when the requirement is not met; the reporter prints the reason.
 * `describe.skipIf(!CHROMIUM.met)("the board", needs(CHROMIUM), () => …)`
 */
export function needs({ reason }: Requirement): { meta: { needs: string } } {
  return { meta: { needs: reason } };
}
