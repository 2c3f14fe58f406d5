/** What a switch can do with the agent. Functions for messages work in ACP only; the others in every protocol. */
export interface FaultyAgent {
  /** The conversation's id. */
  readonly session: string;
  /** Prompts so far. */
  readonly turn: number;
  /** Prints bytes to stdout unchanged. */
  write(bytes: string | Uint8Array): void;
  /** Prints one JSON-RPC message, through the switches that change lines. */
  send(message: object): void;
  update(update: object, session?: unknown): void;
  text(text: string): void;
  /** Sends a request and resolves with the client's response. */
  ask(message: object): Promise<unknown>;
  answer(id: unknown, result: unknown): void;
  fail(id: unknown, error: unknown): void;
}

/** A stage at which a switch answers in place of the agent. `true`: it has answered, or never will. */
type Answer = (agent: FaultyAgent, id: unknown, argument: string) => boolean | Promise<boolean>;

/** A fault that can be combined with others. */
export type FaultSwitch = {
  about: string;
  /** Applies to every protocol, because it concerns bytes, processes or the ids of responses. */
  any?: true;
  /** At the start of the process, before it reads anything. */
  start?(agent: FaultyAgent, argument: string): void;
  /** Changes a line of output. The line ends with its LF. */
  line?(line: string, argument: string): string | Uint8Array;
  initialize?: Answer;
  open?: Answer;
  /** In the middle of a prompt, between its two pieces of text. */
  work?(agent: FaultyAgent, argument: string): void | Promise<void>;
  prompt?: Answer;
  cancel?: Answer;
};

export type FaultSwitches = Readonly<Record<string, FaultSwitch>>;

/** JSON that nests `depth` levels deep. Made as text: JSON.stringify fails on it. */
export function nestedJson(depth: number): string {
  return `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;
}
