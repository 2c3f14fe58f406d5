import type { Step } from "./contract.ts";

/** Runs decoder steps in sequence, each on the state of the one before, and concatenates their outputs. */
export function runSteps<State>(state: State, ...steps: ((state: State) => Step<State>)[]): Step<State> {
  let current = state;
  const outputs = steps.flatMap((step) => {
    const [next, made] = step(current);
    current = next;
    return made;
  });
  return [current, outputs];
}
