import type { Mode } from "@gantry/protocol";

/** Internal command that changes the mode of a running process. */
export const MODE_COMMAND = "gantry-mode";

/** Prefix of the gate's dialogs, and the status key under which it reports calls that it let pass. */
export const GATE = "gantry-gate";

/** Some agents use the mutated `input`, others the returned one. */
type Tool = { toolName: string; toolCallId: string; input: Record<string, unknown> };

type Context = {
  cwd: string;
  hasUI: boolean;
  signal?: AbortSignal;
  abort(): void;
  ui: {
    select(title: string, options: string[], more: { signal?: AbortSignal }): Promise<string | undefined>;
    setStatus(key: string, text: string): void;
  };
};

/** The part of the extension API that the gate uses. */
export type ExtensionHost = {
  on(event: string, handler: (event: Tool, context: Context) => unknown): unknown;
  registerCommand(name: string, command: { description: string; handler(rung: string): Promise<void> }): void;
  getActiveTools?(): string[];
  setActiveTools?(names: string[]): void;
};

type Answer = { decision?: string; edits?: Record<string, unknown>; message?: string };

/** The gate's configuration and what it needs from outside. */
type GateConfig = {
  start: string;
  /** Further folders in which edits are free from `auto-edit` on. */
  folders: readonly string[];
  gate: string;
  command: string;
  resolve(...paths: string[]): string;
  /** The file's content: `null` if the file does not exist, `undefined` if it cannot be shown. */
  contentOf(file: string): string | null | undefined;
  parseAnswer(reply: string | undefined): Answer;
};

/** Runs inside the agent as source text, like `gate`. */
function contentOf(file: string, read: (path: string) => string): string | null | undefined {
  try {
    const text = read(file);
    return text.length > 200_000 || text.includes("\0") ? undefined : text;
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT" ? null : undefined;
  }
}

/** Runs inside the agent as source text, like `gate`. A dismissed dialog stops the turn. */
function parseAnswer(reply: string | undefined): Answer {
  try {
    return JSON.parse(reply ?? "") as Answer;
  } catch {
    return { decision: "stop" };
  }
}

/**
 * Enforces the modes of an agent without a permission system. It runs inside the agent as source text, so it may only
 * use its parameters. A permission request is a `select` dialog whose title describes the call and whose answer is
 * JSON: `{ decision: "allow" | "deny" | "stop", edits?, message? }`.
 */
function gate(host: ExtensionHost, config: GateConfig): void {
  const { start, folders, gate: name, command, resolve, contentOf: content, parseAnswer: parse } = config;
  const reading = ["read", "grep", "find", "ls", "glob", "search", "ast_grep", "web_search", "todo", "ask"];
  const editing = ["write", "edit"];
  let mode = start;
  let tools: string[] | undefined;

  /** Plan mode activates only read tools; leaving it restores the previous set. */
  const enter = (rung: string) => {
    mode = rung;
    if (rung === "plan" && !tools) {
      tools = host.getActiveTools?.();
      host.setActiveTools?.(reading);
    }
    if (rung === "plan" || !tools) return;
    host.setActiveTools?.(tools);
    tools = undefined;
  };

  /** The absolute path, if it can be resolved without the agent's additional path syntax. */
  const place = (path: unknown, cwd: string) =>
    typeof path !== "string" || /^@?(~|file:)/.test(path) ? undefined : resolve(cwd, path.replace(/^@/, ""));

  host.on("session_start", () => enter(mode));
  host.registerCommand(command, { description: "Set by Gantry", handler: async (rung) => enter(rung.trim()) });

  host.on("tool_call", async ({ toolName, toolCallId, input }, context) => {
    if (reading.includes(toolName)) return undefined;
    if (mode === "plan") return { block: true, reason: "Permission denied because plan mode is read-only." };
    const edits = editing.includes(toolName);
    const file = edits ? place(input.path, context.cwd) : undefined;
    const before = file === undefined ? undefined : content(file);
    const about = JSON.stringify({ call: toolCallId, tool: toolName, input, before });
    const inside = [context.cwd, ...folders].some((folder) => file?.startsWith(`${folder}/`) === true);
    const free = mode === "full-auto" || mode === "inherit" || (mode === "auto-edit" && inside);
    if (free && edits && context.hasUI) context.ui.setStatus(name, about);
    if (free) return undefined;
    if (!context.hasUI) return { block: true, reason: "Permission denied because no user can be asked in this mode." };
    const reply = await context.ui.select(`${name} ${about}`, ["allow", "deny"], { signal: context.signal });
    const answer = parse(reply);
    if (answer.decision === "allow") {
      if (!answer.edits) return undefined;
      for (const key of Object.keys(input)) delete input[key];
      Object.assign(input, answer.edits);
      return { input: answer.edits };
    }
    const why = answer.message ? `: ${answer.message}` : ".";
    if (answer.decision === "deny") return { block: true, reason: `Denied by the user${why}` };
    context.abort();
    return { block: true, reason: `Interrupted by user${why}` };
  });
}

/** The gate as an extension file that starts in this mode. */
export function gateFile(mode: Mode, folders: readonly string[] = []): string {
  const places = `folders: ${JSON.stringify(folders)}`;
  const settings = `start: ${JSON.stringify(mode)}, ${places}, gate: ${JSON.stringify(GATE)}, command: ${JSON.stringify(MODE_COMMAND)}`;
  return [
    'import { readFileSync } from "node:fs";',
    'import { resolve } from "node:path";',
    `const gate = ${gate.toString()};`,
    `const content = ${contentOf.toString()};`,
    `const parseAnswer = ${parseAnswer.toString()};`,
    'const contentOf = (path) => content(path, (file) => readFileSync(file, "utf8"));',
    `export default (host) => gate(host, { ${settings}, resolve, contentOf, parseAnswer });`,
    "",
  ].join("\n");
}
