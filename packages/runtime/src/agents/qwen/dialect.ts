import type { Dialect } from "../acp/dialect.ts";
import { event } from "../acp/outputs.ts";
import type { State } from "../acp/state.ts";
import type { Step } from "../contract.ts";
import { compact, type Fields, fields, nonBlank, text } from "../fields.ts";
import { folderArguments } from "../kit/launch-parts.ts";
import { modePermissions } from "./permissions.ts";

const modelName = /^(?:\$runtime\|[^|]*\|)?(.+)\([^()]*\)$/;

/** Qwen Code: usage arrives on empty text chunks, questions as permission requests. */
export const dialect: Dialect = {
  agent: "qwen",
  version: 1,
  args: ["--acp"],
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
  takes: { servers: ["stdio", "http", "sse"], folders: true },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "auto-edit" },
    "full-auto": { mode: "yolo" },
  },
  foldersAtStart: true,
  given: (options) => [
    // Otherwise the first prompt is processed before the servers have listed their tools.
    options.kit?.servers.length ? { env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" } } : undefined,
    modePermissions(options),
    folderArguments("--include-directories", options),
  ],
  // It refuses the other modes in a folder that it does not trust.
  ignoresProject: { modes: ["plan", "ask"], since: "0.15.6" },
  modelName,
  // Older versions report a failed command only in this text.
  printed: /\nExit Code: (?<exit>\d{1,9})\nSignal: .*(?:\nBackground PIDs: .*)?(?:\nProcess Group PGID: .*)?$/,
  call: withQuestions,
  asides: [
    { pattern: /^Compressing context\.\.\.\s*$/, as: "compacting" },
    { pattern: /^Context compressed \(~?(?<before>\d+) -> ~?(?<after>\d+)\)\.\s*$/, as: "compacted" },
    { pattern: /^IMPORTANT: .*compressed from: ~?(?<before>\d+) to ~?(?<after>\d+) tokens\)/, as: "compacted" },
  ],
  extensions: { "qwen/notify/session/model-update": { notify: modelUpdated } },
  subagentTool: "agent",
  planOptions: /^restore_previous$/,
  tellsMode: () => true,
  // The mode before the plan is Qwen's, in which a model decides what needs approval.
  plainYes: "proceed_once",
  // It starts turns about ended background commands; a person or a schedule starts turns here.
  quiet: [
    ...["craft/drainMidTurnQueue", "qwen/notify/session/prompt-suggestion"],
    ...["_qwencode/start_turn", "_qwencode/end_turn"],
  ],
  background: /^Background shell (?<task>\S+) started \(pid (?<pid>\d{1,9})\)/,
  listsByFolder: true,
  compact: "compress",
  login: "qwen",
};

/** Older versions do not mark the questions in a permission request. */
function withQuestions(call: Fields): Fields {
  const { questions } = fields(call.rawInput);
  const isQuestion = Array.isArray(questions) && /^Ask user \d+ questions?$/.test(text(call.title) ?? "");
  if (!isQuestion || fields(call._meta).qwenInteractionKind !== undefined) return call;
  return { ...call, _meta: { ...fields(call._meta), qwenInteractionKind: "user_question", qwenQuestions: questions } };
}

/** Handles a model change, requested by us or by a user command. */
function modelUpdated(state: State, params: Fields): Step<State> {
  const native = nonBlank(params.currentModelId);
  const to = modelName.exec(native ?? "")?.[1] ?? native;
  const from = state.settings.model;
  if (!to || to === from) return [state, []];
  const settings = { ...state.settings, model: to };
  return [{ ...state, settings }, [event("model.changed", compact({ from, to }))]];
}
