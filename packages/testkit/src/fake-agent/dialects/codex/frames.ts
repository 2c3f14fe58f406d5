import { randomBytes } from "node:crypto";
import type { PastTurn } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

export const VERSION = "0.166.0";
export const DEFAULT_MODEL = "scripted-model";

/** The settings of a thread. */
export interface ThreadState {
  id: string;
  cwd: string;
  model: string;
  approvalPolicy: string;
  sandbox: string;
  forkedFromId: string | null;
}

/** Time-ordered ids, like those of Codex. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

export function threadObject(thread: ThreadState, home: string, turns: PastTurn[]): Json {
  const now = Math.floor(Date.now() / 1000);
  return {
    id: thread.id,
    environments: [{ environmentId: "local", cwd: thread.cwd, runtimeWorkspaceRoots: [thread.cwd] }],
    sessionId: thread.id,
    forkedFromId: thread.forkedFromId,
    parentThreadId: null,
    preview: turns[0]?.prompt ?? "",
    ephemeral: false,
    historyMode: "paginated",
    modelProvider: "scripted",
    model: thread.model,
    reasoningEffort: null,
    createdAt: now,
    updatedAt: now,
    status: { type: "idle" },
    path: `${home}/sessions/rollout-${thread.id}.jsonl`,
    cwd: thread.cwd,
    cliVersion: VERSION,
    originator: "gantry",
    source: "vscode",
    gitInfo: null,
    name: null,
    turns: turns.map(pastTurn),
  };
}

/** The result of thread/start, thread/resume and thread/fork. */
export function threadResponse(thread: ThreadState, home: string, turns: PastTurn[]): Json {
  return {
    thread: threadObject(thread, home, turns),
    model: thread.model,
    modelProvider: "scripted",
    serviceTier: null,
    cwd: thread.cwd,
    runtimeWorkspaceRoots: [thread.cwd],
    instructionSources: [],
    approvalPolicy: thread.approvalPolicy,
    approvalsReviewer: "user",
    sandbox: sandboxObject(thread.sandbox),
    reasoningEffort: null,
  };
}

export function turnObject(id: string, status: string, more: Json = {}): Json {
  return {
    id,
    rootTurnId: id,
    items: [],
    itemsView: "notLoaded",
    status,
    error: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    ...more,
  };
}

export function userMessage(id: string, text: string, completed: boolean): Json {
  const content = [{ type: "text", text, text_elements: [] }];
  const now = Date.now();
  return { type: "userMessage", id, clientId: null, content, startedAtMs: now, completedAtMs: completed ? now : null };
}

export function agentMessage(id: string, text: string, completed: boolean): Json {
  const now = Date.now();
  return {
    type: "agentMessage",
    id,
    text,
    phase: null,
    memoryCitation: null,
    delivery: null,
    questions: null,
    startedAtMs: now,
    completedAtMs: completed ? now : null,
  };
}

export const MODEL_LIST = [
  modelRow(DEFAULT_MODEL, "Scripted Model", true),
  modelRow("scripted-mini", "Scripted Mini", false),
];

function modelRow(id: string, displayName: string, isDefault: boolean): Json {
  return {
    id,
    model: id,
    displayName,
    description: "Plays scenarios",
    hidden: false,
    supportedReasoningEfforts: ["low", "medium", "high"].map((effort) => ({
      reasoningEffort: effort,
      description: effort,
    })),
    defaultReasoningEffort: "medium",
    inputModalities: ["text", "image"],
    isDefault,
  };
}

function pastTurn(turn: PastTurn): Json {
  const items = [userMessage(`${turn.id}-user`, turn.prompt, true), agentMessage(`${turn.id}-agent`, turn.reply, true)];
  return turnObject(turn.id, "completed", { items, itemsView: "full" });
}

function sandboxObject(sandbox: string): Json {
  if (sandbox === "danger-full-access") return { type: "dangerFullAccess" };
  if (sandbox === "read-only") return { type: "readOnly", networkAccess: false };
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  };
}

/** Codex's names for a provider's failure, by Gantry's category. */
export const ERROR_INFO: Record<string, Json | string> = {
  auth: { httpConnectionFailed: { httpStatusCode: 401 } },
  rate_limit: { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
  quota: "usageLimitExceeded",
  billing: "usageLimitExceeded",
  overloaded: "serverOverloaded",
  model_unavailable: "modelNotFound",
  context_overflow: "contextWindowExceeded",
  network: { responseStreamDisconnected: { httpStatusCode: null } },
  unknown: "other",
};
