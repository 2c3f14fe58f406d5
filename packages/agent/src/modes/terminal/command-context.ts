import type { Choice } from "@gantry/terminal";
import type { StartedAgent } from "../../start/start-agent.ts";
import type { Bindings } from "./typing/bindings.ts";

/** What slash commands and menus can use. */
export type CommandContext = {
  agent: StartedAgent;
  bindings: Bindings;
  env: Record<string, string | undefined>;
  place: { agentDir: string; dir?: string };
  print(lines: readonly string[]): void;
  edit(text: string): void;
  /** Shows a menu. An error that a choice throws is printed. */
  pick(title: string, choices: readonly Choice[]): void;
  /** Resolves with the line that the user enters, or `undefined` if they cancel. */
  ask(lines: readonly string[], how: { secret?: boolean; signal: AbortSignal }): Promise<string | undefined>;
  /** Runs `work` so that the interrupt key aborts its signal. */
  runCancellable<Result>(work: (signal: AbortSignal) => Promise<Result> | Result): Promise<Result>;
  reload(): void;
  quit(): void;
};
