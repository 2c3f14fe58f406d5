import { ampTargets } from "./fake/amp.ts";
import { cursorTargets } from "./fake/cursor.ts";
import { gooseTargets } from "./fake/goose.ts";
import { hermesTargets } from "./fake/hermes.ts";
import { gantryTargets } from "./gantry.ts";
import type { Target } from "./target.ts";
import { auggieTargets } from "./vendor/auggie.ts";
import { claudeTargets } from "./vendor/claude.ts";
import { clineTargets } from "./vendor/cline.ts";
import { codexTargets } from "./vendor/codex.ts";
import { copilotTargets } from "./vendor/copilot.ts";
import { droidTargets } from "./vendor/droid.ts";
import { geminiTargets } from "./vendor/gemini.ts";
import { kiloTargets } from "./vendor/kilo.ts";
import { kimiTargets } from "./vendor/kimi.ts";
import { ompTargets } from "./vendor/omp.ts";
import { opencodeTargets } from "./vendor/opencode.ts";
import { piTargets } from "./vendor/pi.ts";
import { qwenTargets } from "./vendor/qwen.ts";

/** Every tested agent and version, in the order of the table; the newest version of an agent comes first. */
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
