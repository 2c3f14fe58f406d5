import type { ControlValues, Mode } from "@gantry/protocol";
import { storedCell } from "../stored-cell.ts";

/** The choices of the last session, used as defaults for the next one. `newLane`: start it in a new lane. */
export type Choices = {
  agent?: string;
  model?: string;
  mode: Mode;
  effort?: string;
  controls?: ControlValues;
  cwd?: string;
  newLane?: boolean;
};

export const lastChoices = storedCell<Choices>("new-session", { mode: "ask" });
