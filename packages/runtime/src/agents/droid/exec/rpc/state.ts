import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../../contract.ts";
import { compact } from "../../../json-lines/reading/fields.ts";
import { initialTalk } from "../../../json-lines/talk.ts";
import { quietStart, type TwoWay } from "../../../json-lines/two-way.ts";

/** Parameters of the request that opens the session. */
export type Opening = { method: string; params: Record<string, unknown> };

export type RpcState = TwoWay & { opening: Opening };

export const CHANNEL = "stream-jsonrpc";

/** What a rung is to Droid. Without autonomy it asks for everything but reading. */
export const rungs: Record<Exclude<Mode, "inherit">, { interactionMode: string; autonomyLevel: string }> = {
  plan: { interactionMode: "spec", autonomyLevel: "off" },
  ask: { interactionMode: "auto", autonomyLevel: "off" },
  "auto-edit": { interactionMode: "auto", autonomyLevel: "low" },
  "full-auto": { interactionMode: "auto", autonomyLevel: "high" },
};

export function initialState(options: LaunchOptions): RpcState {
  const { resume, cwd, model, mode, uuid, effort } = options;
  const settings = mode === "inherit" ? {} : rungs[mode];
  const fresh = compact({ machineId: uuid, cwd, modelId: model, reasoningEffort: effort, ...settings });
  const opening = resume
    ? { method: "droid.load_session", params: { sessionId: resume } }
    : { method: "droid.initialize_session", params: fresh };
  return { ...initialTalk(options), ...quietStart, opening };
}
