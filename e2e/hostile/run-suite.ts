import type { Attack, Outcome, Suite } from "./attack.ts";

export type Result = { name: string; class: string; outcome: Outcome };
export type SuiteResult = { suite: string; about: string; results: Result[] };

const PATIENCE_MS = 120_000;

/** Runs the attacks one after the other. An attack that cannot be carried out counts as not held. */
export async function runSuite(suite: Suite, notify: (result: Result) => void): Promise<SuiteResult> {
  const { attacks, close } = await suite.open();
  const results: Result[] = [];
  try {
    for (const attack of attacks) {
      const result = { name: attack.name, class: attack.class, outcome: await runAttack(attack) };
      results.push(result);
      notify(result);
    }
  } finally {
    await close();
  }
  return { suite: suite.name, about: suite.about, results };
}

async function runAttack(attack: Attack): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const effect = `no result within ${PATIENCE_MS / 1000} s`;
    timer = setTimeout(() => resolve({ held: false, effect }), PATIENCE_MS);
  });
  try {
    return await Promise.race([attack.run(), late]);
  } catch (error) {
    return { held: false, effect: `could not be carried out: ${(error as Error).message.split("\n")[0]}` };
  } finally {
    clearTimeout(timer);
  }
}

export function isHeld(outcome: Outcome): boolean {
  return "held" in outcome && outcome.held;
}

export function isBroken(outcome: Outcome): boolean {
  return "held" in outcome && !outcome.held;
}
