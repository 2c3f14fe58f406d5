import type { Mode } from "@gantry/protocol";
import { keptCell } from "./kept.ts";

/** What the last session was started with, which the next one starts with too. `apart`: in a lane of its own. */
export type Choices = { agent?: string; model?: string; mode: Mode; effort?: string; cwd?: string; apart?: boolean };

export const lastChoices = keptCell<Choices>("new-session", { mode: "ask" });
