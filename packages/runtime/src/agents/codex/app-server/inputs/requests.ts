import type { FileChange, InputOption, Question } from "@gantry/protocol";
import { type RpcId, rpcErrors, rpcFailure, rpcResult } from "../../../../framing/json-rpc.ts";
import { type InputDraft, itemId, type Output, type Step } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  list,
  nonBlank,
  ownValue,
  text,
  texts,
  withoutKey,
} from "../../../fields.ts";
import { notice, raw } from "../../outputs.ts";
import { legacyChanges } from "../../wire/changes.ts";
import { unwrapShell } from "../../wire/shell.ts";
import { type Ask, CHANNEL, type State } from "../state.ts";
import { decisionOptions, legacyDecisions, nativeDecisions, patchDecisions } from "./decisions.ts";
import { formOf } from "./forms.ts";

export type ServerRequest = { id: RpcId; method: string; params: Fields };

const MAX_OPEN_REQUESTS = 100;
const TOO_MANY = "Too many requests are open.";

/** The input for a request, and the data needed to answer it. */
type Asked = { request: InputDraft; keep: Omit<Ask, "id" | "method" | "turn"> };

const askers: Record<string, (params: Fields, state: State) => Asked> = {
  "item/commandExecution/requestApproval": askCommand,
  "item/fileChange/requestApproval": askPatch,
  "item/permissions/requestApproval": askPermissions,
  "item/tool/requestUserInput": askQuestions,
  "mcpServer/elicitation/request": askElicitation,
  execCommandApproval: askLegacyCommand,
  applyPatchApproval: askLegacyPatch,
};

/**
 * Handles a request from the agent. Requests for the user become inputs; everything else is answered at once, unknown
 * ones with an error, so that the agent never waits for a missing response.
 */
export function serverRequest(state: State, request: ServerRequest, frame: unknown, subagent?: string): Step<State> {
  const asker = ownValue(askers, request.method);
  if (!asker) return [state, answerAtOnce(request, frame)];
  const key = requestKey(request.id);
  if (Object.keys(state.asks).length >= MAX_OPEN_REQUESTS && !Object.hasOwn(state.asks, key))
    return [state, [send(rpcFailure(request.id, rpcErrors.internal, TOO_MANY)), raw(CHANNEL, frame, TOO_MANY)]];
  const { request: input, keep } = asker(request.params, state);
  const turn = subagent ? undefined : text(request.params.turnId);
  const ask: Ask = compact({ id: request.id, method: request.method, turn, ...keep });
  const next: State = {
    ...state,
    asks: { ...state.asks, [key]: ask },
    patches: withoutKey(state.patches, text(request.params.itemId) ?? ""),
  };
  return [next, [{ kind: "ask", key, request: compact({ ...input, subagent }), ext: { method: request.method } }]];
}

/** The state key of a request. */
export function requestKey(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

/** Handles `serverRequest/resolved`: settled by our answer, or withdrawn. */
export function requestResolved(state: State, params: Fields): Step<State> {
  const key = requestKey(params.requestId);
  const acknowledged: Output = { kind: "ack", key: `answer:${key}` };
  if (!Object.hasOwn(state.asks, key)) return [state, [acknowledged]];
  const next = { ...state, asks: withoutKey(state.asks, key) };
  return [next, [acknowledged, { kind: "withdrawn", key, reason: "the agent settled it" }]];
}

function answerAtOnce({ id, method, params }: ServerRequest, frame: unknown): Output[] {
  if (method === "item/tool/call") {
    const refusal = `This client has no tool named ${text(params.tool) ?? "so"}.`;
    const result = { contentItems: [{ type: "inputText", text: refusal }], success: false };
    return [send(rpcResult(id, result)), notice("tool", "warning", refusal)];
  }
  if (method === "account/chatgptAuthTokens/refresh") {
    const message = "This client stores no tokens. Log in with `codex login`.";
    return [send(rpcFailure(id, rpcErrors.internal, message)), notice("auth", "warning", message)];
  }
  const refusal = rpcFailure(id, rpcErrors.methodNotFound, `This client does not know ${method}.`);
  return [send(refusal), raw(CHANNEL, frame, "unknown request of the agent, answered with an error")];
}

function send(msg: unknown): Output {
  return { kind: "send", frame: { msg, repeat: "safe" } };
}

function askCommand(params: Fields): Asked {
  const host = nonBlank(fields(params.networkApprovalContext).host);
  const command = unwrapShell(text(params.command) ?? "");
  const title = host ? `Connect to ${host}` : firstLine(command) || "Run a command";
  const available = list(params.availableDecisions);
  const decisions = nativeDecisions(available.length > 0 ? available : ["accept", "acceptForSession", "cancel"]);
  return {
    request: commandInput(params, title, command, decisionOptions(decisions)),
    keep: { decisions },
  };
}

function commandInput(params: Fields, title: string, command: string, options: InputOption[]): InputDraft {
  const cwd = nonBlank(params.cwd);
  return compact({
    item: nativeItem(params),
    kind: "approval",
    title,
    detail: nonBlank(params.reason),
    tool: { name: "shell", kind: "execute", input: compact({ command, cwd }), command },
    options,
  });
}

function askPatch(params: Fields, state: State): Asked {
  const changes = ownValue(state.patches, text(params.itemId)) ?? [];
  const root = nonBlank(params.grantRoot);
  const why = [nonBlank(params.reason), root && `It asks to write under ${root} from now on.`]
    .filter(Boolean)
    .join("\n");
  const decisions = nativeDecisions(patchDecisions);
  return { request: patchInput(params, changes, why, decisionOptions(decisions)), keep: { decisions } };
}

function patchInput(params: Fields, changes: FileChange[], why: string, options: InputOption[]): InputDraft {
  const [only] = changes;
  const title =
    changes.length === 1 && only
      ? `Change ${only.path}`
      : changes.length
        ? `Change ${changes.length} files`
        : "Apply a patch";
  return compact({
    item: nativeItem(params),
    kind: "approval",
    title,
    detail: nonBlank(why),
    tool: { name: "apply_patch", kind: "edit", input: { paths: changes.map((change) => change.path) } },
    diff: changes.length > 0 ? changes : undefined,
    options,
  });
}

function askPermissions(params: Fields): Asked {
  const permissions = fields(params.permissions);
  const files = fields(permissions.fileSystem);
  const wants = [
    fields(permissions.network).enabled ? "use the network" : "",
    texts(files.read).length ? `read ${texts(files.read).join(", ")}` : "",
    texts(files.write).length ? `write ${texts(files.write).join(", ")}` : "",
  ].filter(Boolean);
  const request: InputDraft = compact({
    item: nativeItem(params),
    kind: "permissions",
    title: wants.length > 0 ? `Permission to ${wants.join("; ")}` : "More permissions",
    detail: nonBlank(params.reason),
    tool: { name: "request_permissions", kind: "other", input: permissions },
    options: [
      { id: "turn", label: "Allow for this turn", effect: "allow_once" },
      { id: "session", label: "Allow for this session", effect: "allow_session" },
      { id: "decline", label: "Deny", effect: "deny" },
    ],
  });
  return { request, keep: { permissions } };
}

function askQuestions(params: Fields): Asked {
  const questions = list(params.questions).map(fields).map(readQuestion);
  const request: InputDraft = compact({
    item: nativeItem(params),
    kind: "question",
    title: firstLine(questions[0]?.text ?? "A question"),
    questions,
    blocking: params.isBlocking !== false,
  });
  return { request, keep: {} };
}

function readQuestion(question: Fields): Question {
  const options = list(question.options).map((entry) => {
    const { label, description } = fields(entry);
    return compact({ label: text(label) ?? "", description: nonBlank(description) });
  });
  return compact({
    id: text(question.id) ?? "",
    header: nonBlank(question.header),
    text: text(question.question) ?? "",
    options,
    multi: false,
    freeform: options.length === 0 || question.isOther === true,
    secret: question.isSecret === true,
  });
}

function askElicitation(params: Fields): Asked {
  const server = text(params.serverName) ?? "An MCP server";
  const message = nonBlank(params.message) ?? nonBlank(params.description) ?? nonBlank(params.title) ?? "";
  const { questions, types } = formOf(fields(params.requestedSchema));
  const url = nonBlank(params.url);
  const request: InputDraft = compact({
    kind: url ? "login" : "elicitation",
    title: firstLine(`${server}: ${message}`),
    detail: [message, url].filter(Boolean).join("\n"),
    questions,
    options: [
      { id: "accept", label: url ? "Done" : "Send", effect: "allow_once" },
      { id: "decline", label: "Decline", effect: "deny" },
      { id: "cancel", label: "Cancel", effect: "deny_and_stop" },
    ],
  });
  return { request, keep: { form: types } };
}

function askLegacyCommand(params: Fields): Asked {
  const command = texts(params.command).join(" ");
  const decisions = nativeDecisions(legacyDecisions);
  return {
    request: commandInput(params, firstLine(command), command, decisionOptions(decisions)),
    keep: { decisions },
  };
}

function askLegacyPatch(params: Fields): Asked {
  const decisions = nativeDecisions(legacyDecisions);
  const changes = legacyChanges(params.fileChanges);
  return {
    request: patchInput(params, changes, text(params.reason) ?? "", decisionOptions(decisions)),
    keep: { decisions },
  };
}

function nativeItem(params: Fields): string | undefined {
  const native = nonBlank(params.itemId) ?? nonBlank(params.callId);
  return native ? itemId(native) : undefined;
}
