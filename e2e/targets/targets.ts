import type { Target } from "../target.ts";
import { claudeTargets } from "./claude.ts";
import { codexTargets } from "./codex.ts";

/** Every agent and version that is tried, in the order of the table; of one agent the newest first. */
export const targets: readonly Target[] = [...claudeTargets, ...codexTargets];
