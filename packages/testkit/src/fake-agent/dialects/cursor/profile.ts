import type { Answer, Request } from "@gantry/scripted/agent";
import { asObject, asObjects, asText, type Json } from "@gantry/scripted/json";
import { diffContent, KINDS, locationsOf, plainProfile, textContent } from "../acp/plain.ts";
import type { AcpProfile, ClientRequest } from "../acp/profile.ts";

const MODES = [
  { id: "agent", name: "Agent", description: "Full agent capabilities with tool access" },
  { id: "plan", name: "Plan", description: "Read-only mode for planning" },
  { id: "ask", name: "Ask", description: "Q&A mode - no edits or command execution" },
];
const MODELS = ["default[]", "composer-2.5[fast=true]"];

export const profile: AcpProfile = {
  ...plainProfile,
  versionText: "2026.10.22-27dcf5f",
  greeting: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true, sse: true },
      promptCapabilities: { audio: false, embeddedContext: false, image: true },
      sessionCapabilities: { list: {} },
    },
    authMethods: [{ id: "cursor_login", name: "Cursor Login" }],
  },
  mode: "agent",
  model: "default[]",
  offers: ({ mode, model }) => ({
    modes: { currentModeId: mode, availableModes: MODES },
    models: { currentModelId: model, availableModels: MODELS.map((id) => ({ modelId: id, name: id.split("[")[0] })) },
    configOptions: [
      {
        ...select(
          "mode",
          mode,
          MODES.map(({ id }) => id),
        ),
        category: "mode",
      },
      { ...select("model", model, MODELS), category: "model" },
    ],
  }),
  opened: () => [
    {
      sessionUpdate: "available_commands_update",
      availableCommands: ["simplify"].map((name) => ({ name, description: name })),
    },
  ],
  lost: (id) => ({
    error: { code: -32602, message: "Invalid params", data: { message: `Session "${id}" not found` } },
  }),
  forbids: ({ step }, { mode }) => mode !== "agent" && step.do !== "read",
  asks: ({ step }, { mode, argv }) => mode === "agent" && step.do !== "read" && !argv.includes("--force"),
  options: [
    { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow-always", name: "Allow always", kind: "allow_always" },
    { optionId: "reject-once", name: "Reject", kind: "reject_once" },
  ],
  started: ({ step }) => ({
    title:
      step.do === "run" ? `\`${step.command}\`` : { write: "Edit File", edit: "Edit File", read: "Read File" }[step.do],
    kind: KINDS[step.do],
    status: "pending",
    rawInput: step.do === "run" ? { command: step.command } : {},
  }),
  asked: (call, { cwd }) => ({
    title: call.step.do === "run" ? `\`${call.step.command}\`` : `Edit \`${call.step.path}\``,
    kind: KINDS[call.step.do],
    status: "pending",
    content: call.step.do === "run" ? textContent("Not in allowlist") : diffContent(call, cwd),
  }),
  ended: (call, { status, output, exitCode }, { cwd }) => ({
    status: status === "ok" || call.step.do === "run" ? "completed" : "failed",
    ...(call.step.do === "run" ? { rawOutput: { exitCode: exitCode ?? 1, stdout: output, stderr: "" } } : {}),
    ...(status === "ok" && call.step.do !== "run" && call.step.do !== "read"
      ? { content: diffContent(call, cwd), locations: locationsOf(call, cwd) }
      : {}),
    ...(call.step.do === "read" ? { rawOutput: { content: output } } : {}),
  }),
  put: (request) => (request.kind === "question" ? question(request) : plan(request)),
  planned: (entries) => ({
    method: "cursor/update_todos",
    params: {
      toolCallId: "tool_todos",
      todos: entries.map(({ text, status }, index) => ({ id: String(index + 1), content: text, status })),
      merge: false,
    },
  }),
  delegated: ({ title, prompt }) => ({
    title: `Task: ${title}`,
    kind: "other",
    status: "pending",
    rawInput: { prompt },
  }),
  reported: ({ id, item, title, prompt }) => ({
    update: { status: "completed" },
    after: {
      method: "cursor/task",
      params: {
        toolCallId: item,
        description: title,
        prompt,
        subagentType: "unspecified",
        agentId: id,
        durationMs: 40,
      },
    },
  }),
  result: () => ({}),
  closing: () => [],
};

function select(id: string, currentValue: string, values: readonly string[]): Json {
  return { id, name: id, type: "select", currentValue, options: values.map((value) => ({ value, name: value })) };
}

function question({ item, questions }: Extract<Request, { kind: "question" }>): ClientRequest {
  const asked = questions.map(({ id, text, options }) => ({
    id,
    prompt: text,
    options: options.map(({ label }, index) => ({ id: `o${index + 1}`, label })),
    allowMultiple: false,
  }));
  const labels = new Map(asked.flatMap(({ options }) => options.map(({ id, label }) => [id, label])));
  return {
    method: "cursor/ask_question",
    params: { toolCallId: item, title: questions[0]?.header, questions: asked },
    read(result): Answer {
      const outcome = asObject(result.outcome);
      if (outcome.outcome !== "answered") return { decision: "deny", message: asText(outcome.reason, "skipped") };
      const given = asObjects(outcome.answers).map(({ questionId, selectedOptionIds }): [string, string[]] => {
        const ids = Array.isArray(selectedOptionIds) ? selectedOptionIds : [];
        return [asText(questionId), ids.map((id) => labels.get(id) ?? String(id))];
      });
      return { decision: "allow", answers: Object.fromEntries(given) };
    },
  };
}

function plan({ item, plan: text }: Extract<Request, { kind: "plan" }>): ClientRequest {
  const todos = text.split("\n").map((content, index) => ({ id: String(index + 1), content, status: "pending" }));
  return {
    method: "cursor/create_plan",
    params: { toolCallId: item, name: "The plan", overview: "What is to be done", plan: text, todos },
    read(result): Answer {
      const { outcome, reason } = asObject(result.outcome);
      return outcome === "accepted" ? { decision: "allow" } : { decision: "deny", message: asText(reason, "rejected") };
    },
  };
}
