import { inFolder, previewChange, type ToolCall, type ToolStep } from "@gantry/scripted/agent";
import { acpDialect } from "./agent.ts";
import type { AcpProfile, AcpSession } from "./profile.ts";

export const KINDS: Record<ToolStep["do"], string> = { write: "edit", edit: "edit", read: "read", run: "execute" };

/** A text as the content of a tool call. */
export function textContent(text: string) {
  return [{ type: "content", content: { type: "text", text } }];
}

/** The file that a call writes, before and after, as the content of a tool call; nothing for other calls. */
export function diffContent({ step }: ToolCall, cwd: string) {
  if (step.do !== "write" && step.do !== "edit") return [];
  const change = previewChange(step, cwd);
  const path = inFolder(cwd, step.path);
  if (step.do === "write")
    return [{ type: "diff", path, oldText: change?.kind === "update" ? "" : null, newText: step.content }];
  return [{ type: "diff", path, oldText: step.before, newText: step.after }];
}

export function locationsOf({ step }: ToolCall, cwd: string) {
  return step.do === "run" ? [] : [{ path: inFolder(cwd, step.path) }];
}

export function titleOf({ step }: ToolCall): string {
  return step.do === "run" ? step.command : `${step.do} ${step.path}`;
}

function inputOf({ step }: ToolCall, cwd: string) {
  if (step.do === "run") return { command: step.command };
  return { path: inFolder(cwd, step.path), ...("content" in step ? { content: step.content } : {}) };
}

const MODES = [
  { id: "ask", name: "Ask" },
  { id: "auto", name: "Auto" },
];

/** The plain protocol without extensions of any agent. From: the protocol's schema, version 1. */
export const plainProfile: AcpProfile = {
  versionText: "acp-agent 1.0.0",
  greeting: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: { list: {}, close: {} },
    },
    authMethods: [],
    agentInfo: { name: "acp-agent", version: "1.0.0" },
  },
  mode: "ask",
  model: "scripted-model",
  offers: ({ mode }) => ({ modes: { currentModeId: mode, availableModes: MODES } }),
  opened: () => [],
  lost: (id) => ({ error: { code: -32002, message: `Session not found: ${id}` } }),
  forbids: () => false,
  asks: ({ step }, { mode }) => mode === "ask" && step.do !== "read" && !(step.do === "run" && step.harmless),
  options: [
    { optionId: "allow_once", name: "Allow", kind: "allow_once" },
    { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
    { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  ],
  started: (call, { cwd }) => ({
    title: titleOf(call),
    kind: KINDS[call.step.do],
    status: "pending",
    rawInput: inputOf(call, cwd),
    locations: locationsOf(call, cwd),
  }),
  asked: (call, { cwd }) => ({ title: titleOf(call), kind: KINDS[call.step.do], content: diffContent(call, cwd) }),
  ended: (_, { status, output, exitCode }) => ({
    status: status === "ok" ? "completed" : "failed",
    content: textContent(output),
    rawOutput: { output, ...(typeof exitCode === "number" ? { exitCode } : {}) },
  }),
  put: () => null,
  planned: (entries) => ({
    update: {
      sessionUpdate: "plan",
      entries: entries.map(({ text, status }) => ({ content: text, status, priority: "medium" })),
    },
  }),
  delegated: ({ title, prompt }) => ({ title, kind: "other", status: "in_progress", rawInput: { prompt } }),
  reported: ({ report }) => ({ update: { status: "completed", content: textContent(report) } }),
  failed: ({ message, status }) => ({
    error: { code: -32603, message: "Internal error", data: { details: `${status ?? 500} ${message}` } },
  }),
  result: ({ rounds }) => ({ usage: usageOf(rounds) }),
  closing: (session) => [contextOf(session)],
};

/** Token usage for a number of model requests, in the protocol's format. */
export function usageOf(rounds: number) {
  return { inputTokens: 1200 * rounds, outputTokens: 57 * rounds, totalTokens: 1257 * rounds };
}

export function contextOf({ turns }: AcpSession) {
  return { sessionUpdate: "usage_update", used: 1500 * (turns.length + 1), size: 200_000 };
}

export const acp = acpDialect(plainProfile);
