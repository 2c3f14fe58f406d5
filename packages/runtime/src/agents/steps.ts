import type { Output, Step } from "./contract.ts";

/** The state and the outputs of decoder steps that are taken one after the other. */
export class StepChain<State> {
  state: State;
  readonly #outputs: Output[] = [];

  constructor(state: State) {
    this.state = state;
  }

  /** Adds a step that was taken from `state`. */
  add([state, outputs]: Step<State>): void {
    this.state = state;
    for (const output of outputs) this.#outputs.push(output);
  }

  end(): Step<State> {
    return [this.state, this.#outputs];
  }
}

/** Runs decoder steps in sequence, each on the state of the one before, and concatenates their outputs. */
export function runSteps<State>(state: State, ...steps: ((state: State) => Step<State>)[]): Step<State> {
  const chain = new StepChain(state);
  for (const step of steps) chain.add(step(chain.state));
  return chain.end();
}
