import type { ControlValues, Mode } from "@gantry/protocol";
import { Cell } from "../cell.ts";
import { storedCell } from "../stored-cell.ts";

/** The settings of a new session. `newLane`: start it in a new lane. */
export type Choices = {
  agent?: string;
  model?: string;
  mode: Mode;
  effort?: string;
  controls?: ControlValues;
  cwd?: string;
  newLane?: boolean;
};

/**
 * Where the last session started. Agent, model, mode and effort are not remembered: a new session starts with the defaults
 * of its project, whatever the last one was.
 */
export const lastPlace = storedCell<Pick<Choices, "cwd" | "newLane">>("new-session", {});

/** What the user chose for a new session that has not started yet. Cleared when it starts. */
export const formChoices = new Cell<Partial<Choices>>({});

/** Opens the form of a new session with an agent. */
export function chooseAgent(agent: string, model?: string): void {
  formChoices.set({ agent, ...(model ? { model } : {}) });
}
