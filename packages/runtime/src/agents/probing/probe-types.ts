import type { AgentRow, ConversationList, KnownCommand, Model, Problem } from "@gantry/protocol";

/** Result of a short-lived process. */
export type BriefResult = {
  /** `null` when the process was stopped. */
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** The reason when the process could not be started. */
  failed?: string;
};

/** The operations of a probe: run the binary briefly in a scratch folder, with a deadline. None of them throws. */
export interface ProbeTools {
  readonly bin: string;
  /** The complete environment of these processes, including the agent's `env`. */
  readonly env: Record<string, string>;
  run(args: string[], options?: { timeoutMs?: number; input?: string }): Promise<BriefResult>;
  /** Starts the binary, writes JSON lines and collects stdout lines until `done` returns true or the time is up. */
  converse(
    args: string[],
    frames: unknown[],
    done: (lines: unknown[]) => boolean,
    options?: { timeoutMs?: number; reply?: (line: unknown) => unknown[] },
  ): Promise<BriefResult & { lines: unknown[] }>;
}

/** The agent's stored conversations, or the reason why there is no list. `message` is shown to the user. */
export type ConversationListing =
  | ({ ok: true } & ConversationList)
  | { ok: false; why: "unsupported" | "login" | "failed"; message: string };

export type Probe = {
  version?: string;
  auth: AgentRow["auth"];
  models?: Model[];
  /** Slash commands and skills that it has in any folder. */
  commands?: KnownCommand[];
  problems: Problem[];
  /** The binary runs and is the expected program. */
  ok: boolean;
  /** The channel to use; the first one when absent. */
  channel?: string;
};

/** A library that the user installs, hosted by a program of Gantry. `env` of `find`, or a profile's command, names its folder. */
export type PackageProgram = {
  name: string;
  /** The command that hosts the package in this folder; also the program of `login`. */
  command(folder: string): string[];
};
