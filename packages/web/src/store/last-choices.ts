import type { Mode } from "@gantry/protocol";
import { keptCell } from "./kept.ts";

/** What the last session was started with, which the next one starts with too. */
export type Choices = { agent?: string; model?: string; mode: Mode; effort?: string; cwd?: string };

export const lastChoices = keptCell<Choices>("new-session", { mode: "ask" });
