// From: the source of Goose's ACP server (crates/goose/src/acp), read 2026-11. There is no recording: the program is not
// in the package registry.
import { inFolder, type ToolCall } from "@gantry/scripted/agent";
import { acpDialect } from "../acp/agent.ts";
import { plainProfile, textContent, usageOf } from "../acp/plain.ts";
import type { AcpProfile, AcpSession } from "../acp/profile.ts";

const NAMES = { write: "write", edit: "edit", read: "read", run: "shell" } as const;
const MODES = ["auto", "approve", "smart_approve", "chat"];
const MODELS = ["scripted-model", "scripted-other"];

const profile: AcpProfile = {
  ...plainProfile,
  versionText: " 1.38.0",
  greeting: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {} },
    },
    authMethods: [
      {
        id: "goose-provider",
        name: "Configure Provider",
        description: "Run `goose configure` to set up your AI provider and API key",
      },
    ],
  },
  mode: "auto",
  model: "scripted-model",
  offers: ({ mode, model }) => ({
    modes: { currentModeId: mode, availableModes: MODES.map((id) => ({ id, name: id })) },
    configOptions: [
      select("provider", "scripted", ["scripted"]),
      { ...select("mode", mode, MODES), category: "mode" },
      { ...select("model", model, MODELS), category: "model" },
      { ...select("thinking_effort", "off", ["off"]), category: "thought_level" },
    ],
  }),
  opened: (session) => [
    usageUpdate(session),
    {
      sessionUpdate: "available_commands_update",
      availableCommands: ["prompts", "compact", "clear"].map((name) => ({ name, description: name })),
    },
  ],
  lost: (id) => ({ error: { code: -32002, message: "Resource not found", data: `Session not found: ${id}` } }),
  asks: (_, { mode }) => mode === "approve",
  options: ["allow_always", "allow_once", "reject_once", "reject_always"].map((kind) => ({
    optionId: kind,
    name: kind,
    kind,
  })),
  started: (call, { cwd }) => ({
    title: titleOf(call),
    status: "pending",
    rawInput: inputOf(call, cwd),
    _meta: { goose: { toolCall: { toolName: NAMES[call.step.do], extensionName: "developer" } } },
  }),
  asked: (call, { cwd }) => ({
    title: NAMES[call.step.do],
    kind: "other",
    status: "pending",
    rawInput: inputOf(call, cwd),
  }),
  ended: ({ step }, { status, output, exitCode }, { cwd }) => ({
    status: status === "ok" ? "completed" : "failed",
    content: textContent(output),
    ...(step.do === "run" && typeof exitCode === "number"
      ? { rawOutput: { stdout: output, stderr: "", exit_code: exitCode } }
      : {}),
    ...(step.do === "run" ? {} : { locations: [{ path: inFolder(cwd, step.path), line: 1 }] }),
  }),
  failed: ({ message, status }) => ({
    text: `Ran into this error: ${providerError(status ?? 500)}: ${message}.\n\nPlease retry if you think this is a transient or recoverable error.`,
  }),
  result: ({ rounds }) => ({ usage: usageOf(rounds) }),
  closing: (session) => [usageUpdate(session)],
};

function select(id: string, currentValue: string, values: readonly string[]) {
  return { id, name: id, type: "select", currentValue, options: values.map((value) => ({ value, name: value })) };
}

function usageUpdate({ turns }: AcpSession) {
  return { sessionUpdate: "usage_update", used: 1257 * (turns.length + 1), size: 200_000 };
}

function titleOf({ step }: ToolCall): string {
  return `${NAMES[step.do]} · ${step.do === "run" ? step.command.slice(0, 60) : step.path}`;
}

function inputOf({ step }: ToolCall, cwd: string) {
  if (step.do === "run") return { command: step.command };
  const path = inFolder(cwd, step.path);
  if (step.do === "write") return { path, content: step.content };
  return step.do === "edit" ? { path, before: step.before, after: step.after } : { path };
}

/** Goose's messages for the kinds of `ProviderError`. */
function providerError(status: number): string {
  if (status === 401 || status === 403) return "Authentication error";
  if (status === 429) return "Rate limit exceeded";
  return status >= 500 ? "Server error" : "Request failed";
}

export const goose = acpDialect(profile);
