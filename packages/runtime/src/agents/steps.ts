import type { Output, Step } from "./contract.ts";

/** Runs decoder steps in sequence, each on the state of the one before, and concatenates their outputs. */
export function runSteps<State>(state: State, ...steps: ((state: State) => Step<State>)[]): Step<State> {
  let current = state;
  const outputs: Output[] = [];
  for (const step of steps) {
    const [next, made] = step(current);
    current = next;
    for (const output of made) outputs.push(output);
  }
  return [current, outputs];
}
