import type { Target } from "../target.ts";
import { ampTargets } from "./amp.ts";
import { auggieTargets } from "./auggie.ts";
import { claudeTargets } from "./claude.ts";
import { clineTargets } from "./cline.ts";
import { codexTargets } from "./codex.ts";
import { copilotTargets } from "./copilot.ts";
import { cursorTargets } from "./cursor.ts";
import { droidTargets } from "./droid.ts";
import { gantryTargets } from "./gantry.ts";
import { geminiTargets } from "./gemini.ts";
import { gooseTargets } from "./goose.ts";
import { hermesTargets } from "./hermes.ts";
import { kiloTargets } from "./kilo.ts";
import { kimiTargets } from "./kimi.ts";
import { ompTargets } from "./omp.ts";
import { opencodeTargets } from "./opencode.ts";
import { piTargets } from "./pi.ts";
import { qwenTargets } from "./qwen.ts";

/** Every agent and version that is tried, in the order of the table; of one agent the newest first. */
export const targets: readonly Target[] = [
  ...claudeTargets,
  ...codexTargets,
  ...geminiTargets,
  ...opencodeTargets,
  ...qwenTargets,
  ...kimiTargets,
  ...droidTargets,
  ...copilotTargets,
  ...piTargets,
  ...ompTargets,
  ...kiloTargets,
  ...clineTargets,
  ...auggieTargets,
  ...cursorTargets,
  ...hermesTargets,
  ...gooseTargets,
  ...ampTargets,
  ...gantryTargets,
];
