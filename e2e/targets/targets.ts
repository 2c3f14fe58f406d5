import { ladder } from "@gantry/protocol";
import { agents } from "@gantry/runtime";
import { ownConfigs, promiseName } from "../harness/setting.ts";
import { cursorSdkTargets } from "./cursor-sdk.ts";
import { ampTargets } from "./fake/amp.ts";
import { cursorTargets } from "./fake/cursor.ts";
import { gooseTargets } from "./fake/goose.ts";
import { hermesTargets } from "./fake/hermes.ts";
import { qoderTargets } from "./fake/qoder.ts";
import { gantryTargets } from "./gantry.ts";
import type { Target } from "./target.ts";
import { auggieTargets } from "./vendor/acp/auggie.ts";
import { clineTargets } from "./vendor/acp/cline.ts";
import { copilotTargets } from "./vendor/acp/copilot.ts";
import { geminiTargets } from "./vendor/acp/gemini.ts";
import { grokTargets } from "./vendor/acp/grok.ts";
import { kiloTargets } from "./vendor/acp/kilo.ts";
import { kimiTargets } from "./vendor/acp/kimi.ts";
import { nanocoderTargets } from "./vendor/acp/nanocoder.ts";
import { opencodeTargets } from "./vendor/acp/opencode.ts";
import { qwenTargets } from "./vendor/acp/qwen.ts";
import { claudeTargets } from "./vendor/claude.ts";
import { codexTargets } from "./vendor/codex.ts";
import { droidTargets } from "./vendor/droid.ts";
import { ompTargets } from "./vendor/omp.ts";
import { piTargets } from "./vendor/pi.ts";

const NO_CONTROLS = "It has no settings besides the mode, the model and the effort.";

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
  ...grokTargets,
  ...piTargets,
  ...ompTargets,
  ...kiloTargets,
  ...clineTargets,
  ...auggieTargets,
  ...nanocoderTargets,
  ...cursorTargets,
  ...cursorSdkTargets,
  ...hermesTargets,
  ...gooseTargets,
  ...qoderTargets,
  ...ampTargets,
  ...gantryTargets,
].map(withPromises);

/**
 * The scenarios about modes that follow from the agent's descriptor: a mode that it does not have is left out, one that
 * cannot be enforced has its reason. Without a way to configure the agent there is nothing to hold against.
 */
function withPromises(target: Target): Target {
  const known = agents.find(({ id }) => id === target.agent);
  const agent = target.channel && known?.otherwise ? known.otherwise : known;
  const missing = ladder.flatMap((mode) =>
    ownConfigs.filter((own) => !agent?.modes[mode] || !target.configure?.[own]).map((own) => promiseName(mode, own)),
  );
  const reasons = ladder.flatMap((mode) => {
    const reason = agent?.unenforced?.[mode];
    return reason ? ["permissive" as const, "project" as const].map((own) => [promiseName(mode, own), reason]) : [];
  });
  const controls = agent?.controls ? {} : { "native-controls": NO_CONTROLS };
  return {
    ...target,
    cannot: { ...Object.fromEntries(reasons), ...controls, ...target.cannot },
    leavesOut: [...(target.leavesOut ?? []), ...missing],
  };
}
