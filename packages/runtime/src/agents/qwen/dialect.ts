import type { Dialect } from "../acp/dialect.ts";
import { event } from "../acp/outputs.ts";
import type { State } from "../acp/state.ts";
import type { Step } from "../contract.ts";
import { compact, type Fields, nonBlank } from "../fields.ts";

const modelName = /^(?:\$runtime\|[^|]*\|)?(.+)\([^()]*\)$/;

/** Qwen Code: tokens are counted on empty pieces of text, questions come as requests for permission. */
export const dialect: Dialect = {
  agent: "qwen",
  version: 1,
  args: ["--acp"],
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "auto-edit" },
    "full-auto": { mode: "yolo" },
  },
  // Without it the first prompt is answered before the servers have told their tools.
  given: ({ kit }) => [kit?.servers.length ? { env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" } } : undefined],
  modelName,
  asides: [
    { pattern: /^Compressing context\.\.\.\s*$/, as: "compacting" },
    { pattern: /^Context compressed \(~?(?<before>\d+) -> ~?(?<after>\d+)\)\.\s*$/, as: "compacted" },
    { pattern: /^IMPORTANT: .*compressed from: ~?(?<before>\d+) to ~?(?<after>\d+) tokens\)/, as: "compacted" },
  ],
  extensions: { "qwen/notify/session/model-update": { tell: modelUpdated } },
  subagentTool: "agent",
  planOptions: /^restore_previous$/,
  tellsMode: true,
  // The mode before the plan is its own, in which a model decides what needs no permission.
  plainYes: "proceed_once",
  quiet: ["craft/drainMidTurnQueue", "qwen/notify/session/prompt-suggestion"],
  listsByFolder: true,
  compact: "compress",
  login: "qwen",
};

/** Another model answers from now on, by our wish or by a command of the user's. */
function modelUpdated(state: State, params: Fields): Step<State> {
  const native = nonBlank(params.currentModelId);
  const to = modelName.exec(native ?? "")?.[1] ?? native;
  const from = state.settings.model;
  if (!to || to === from) return [state, []];
  const settings = { ...state.settings, model: to };
  return [{ ...state, settings }, [event("model.changed", compact({ from, to }))]];
}
