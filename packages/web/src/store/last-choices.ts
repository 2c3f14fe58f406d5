import type { Mode } from "@gantry/protocol";
import { keptCell } from "./kept.ts";

/** The choices of the last session, used as defaults for the next one. `newLane`: start it in a new lane. */
export type Choices = { agent?: string; model?: string; mode: Mode; effort?: string; cwd?: string; newLane?: boolean };

export const lastChoices = keptCell<Choices>("new-session", { mode: "ask" });
