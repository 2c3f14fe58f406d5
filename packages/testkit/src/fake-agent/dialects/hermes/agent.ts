// From: the source of Hermes' `acp_adapter` (server, events, tools, permissions, edit_approval), read 2026-11. There is
// no recording: the program is not in the package registry.
import { inFolder, type ToolCall } from "@gantry/scripted/agent";
import { acpDialect } from "../acp/agent.ts";
import { contextOf, diffContent, locationsOf, plainProfile, textContent, usageOf } from "../acp/plain.ts";
import type { AcpProfile, AcpSession } from "../acp/profile.ts";

const NAMES = { write: "write_file", edit: "patch", read: "read_file", run: "terminal" } as const;
const KINDS = { write: "edit", edit: "edit", read: "read", run: "execute" } as const;

const MODES = [
  { id: "default", name: "Default", description: "Ask before edits." },
  { id: "accept_edits", name: "Accept Edits", description: "Auto-allow workspace and /tmp edits." },
  { id: "dont_ask", name: "Don't Ask", description: "Auto-allow file edits for this session except sensitive paths." },
];
const MODELS = ["scripted:scripted-model", "scripted:scripted-other"];
const COMMANDS = ["help", "model", "tools", "context", "reset", "compact", "steer", "queue", "version"];

/** Hermes detects dangerous commands by pattern. The scripted commands match, except those that only print. */
const DANGEROUS = /^(touch|rm|echo [^|&;]*>)/;
/** The rendering of one value in a structured result. */
const SHOWN = 500;

let questions = 0;

const profile: AcpProfile = {
  ...plainProfile,
  versionText: "Hermes Agent v0.21.5 (2026.11)",
  greeting: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: { fork: {}, list: {}, resume: {} },
    },
    agentInfo: { name: "hermes-agent", version: "0.21.5" },
    authMethods: [{ id: "hermes-setup", name: "Set up Hermes", type: "terminal", args: ["--setup"] }],
  },
  mode: "default",
  model: "scripted:scripted-model",
  offers: ({ mode, model }) => ({
    models: { availableModels: MODELS.map((id) => ({ modelId: id, name: id.split(":")[1] })), currentModelId: model },
    modes: { currentModeId: mode, availableModes: MODES },
  }),
  opened: (session) => [
    {
      sessionUpdate: "available_commands_update",
      availableCommands: COMMANDS.map((name) => ({ name, description: name })),
    },
    contextOf(session),
  ],
  lost: () => ({ result: null }),
  asks: ({ step }, { mode, env }) => {
    if (step.do === "run") return env.HERMES_YOLO_MODE !== "1" && DANGEROUS.test(step.command);
    return step.do !== "read" && mode === "default";
  },
  options: [
    { optionId: "allow_once", kind: "allow_once", name: "Allow once" },
    { optionId: "allow_session", kind: "allow_always", name: "Allow for session" },
    { optionId: "allow_always", kind: "allow_always", name: "Allow always" },
    { optionId: "deny", kind: "reject_once", name: "Deny" },
  ],
  started: (call, session) => ({
    title: titleOf(call),
    kind: KINDS[call.step.do],
    status: "pending",
    ...startContent(call, session),
    locations: locationsOf(call, session.cwd),
  }),
  asked: (call, { cwd }) => {
    const { step } = call;
    if (step.do !== "run") {
      const rawInput = { tool: NAMES[step.do], arguments: { path: inFolder(cwd, step.path) } };
      const content = diffContent(call, cwd);
      return {
        ...nextCallId("edit-approval"),
        title: `Approve edit: ${step.path}`,
        kind: "edit",
        status: "pending",
        content,
        rawInput,
      };
    }
    const rawInput = { command: step.command, description: "flagged as dangerous" };
    const title = `flagged as dangerous: ${step.command}`;
    const content = textContent(`flagged as dangerous\n$ ${step.command}`);
    return { ...nextCallId("perm-check"), title, kind: "execute", status: "pending", content, rawInput };
  },
  ended: ({ step }, { status, output, exitCode }) => {
    const kind = KINDS[step.do];
    const whole = output.trim();
    const cut = `${whole.slice(0, SHOWN - 100)}\n... (${whole.length} chars total, truncated)`;
    const shown = whole.length > SHOWN ? cut : whole;
    const lines = [
      "terminal result",
      ...(shown ? [`- **output:** ${shown}`] : []),
      `- **exit_code:** ${exitCode ?? 0}`,
    ];
    const content = step.do === "run" && status !== "denied" ? lines.join("\n") : output.slice(0, 5000);
    return { kind, status: status === "ok" ? "completed" : "failed", content: textContent(content) };
  },
  delegated: ({ title }) => ({
    title: `delegate_task: ${title}`,
    kind: "execute",
    status: "pending",
    content: textContent(`Delegating task:\n${title}`),
  }),
  reported: ({ report }) => ({ update: { kind: "execute", status: "completed", content: textContent(report) } }),
  failed: ({ message, status }) => ({
    text: `Error: Error code: ${status ?? 500} - {'error': {'message': '${message}'}}`,
  }),
  result: ({ rounds }) => ({ usage: { ...usageOf(rounds), cachedReadTokens: 0, thoughtTokens: 0 } }),
};

function titleOf({ step }: ToolCall): string {
  return `${NAMES[step.do]}: ${step.do === "run" ? step.command.slice(0, 80) : step.path}`;
}

/** An edit shows its diff at once only if it needs no approval. */
function startContent(call: ToolCall, session: AcpSession) {
  const { step } = call;
  if (step.do === "read") return {};
  if (step.do === "run") return { content: textContent(`$ ${step.command}`) };
  if (session.mode !== "default") return { content: diffContent(call, session.cwd) };
  return { content: textContent(`Preparing write to ${step.path}. Approval prompt shows the diff.`) };
}

/** Permission requests have a separate title. */
function nextCallId(what: string) {
  questions++;
  return { toolCallId: `${what}-${questions}` };
}

export const hermes = acpDialect(profile);
