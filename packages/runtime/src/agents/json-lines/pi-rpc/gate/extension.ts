import type { Mode } from "@gantry/protocol";

/** The command that changes the rung of a running process. It is the gate's own and no business of users. */
export const MODE_COMMAND = "gantry-mode";

/** How a question of the gate begins, and the name of the status line under which it tells of what it let pass. */
export const GATE = "gantry-gate";

/** `input` is changed in place; some take what they are given back instead. */
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

/** What the gate uses of the agent's interface for extensions. */
export type Host = {
  on(event: string, handler: (event: Tool, context: Context) => unknown): unknown;
  registerCommand(name: string, command: { description: string; handler(rung: string): Promise<void> }): void;
  getActiveTools?(): string[];
  setActiveTools?(names: string[]): void;
};

/** What the gate needs to know of itself and of the disk. */
export type Means = {
  start: string;
  gate: string;
  command: string;
  resolve(...paths: string[]): string;
  read(path: string): string;
};

/**
 * The rungs of an agent that asks nobody. It runs inside the agent, as text: nothing outside of it may be named but
 * what it is handed. The question is a `select` whose title is all that is to be known of the call, and whose answer is
 * JSON: `{ decision: "allow" | "deny" | "stop", edits?, message? }`.
 */
export function gate(host: Host, { start, gate: name, command, resolve, read }: Means): void {
  const reading = ["read", "grep", "find", "ls", "glob", "search", "ast_grep", "web_search", "todo", "ask"];
  const editing = ["write", "edit"];
  const largest = 200_000;
  let mode = start;
  let tools: string[] | undefined;

  /** Plan mode has only the tools that read; whoever leaves it has again what there was before. */
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

  /** Where a file is, as far as that can be said without the agent: it knows a few more ways to write a path. */
  const place = (path: unknown, cwd: string) =>
    typeof path !== "string" || /^@?(~|file:)/.test(path) ? undefined : resolve(cwd, path.replace(/^@/, ""));

  /** What the file holds now: `null` when there is none, nothing when it cannot be shown. */
  const content = (file: string) => {
    try {
      const text = read(file);
      return text.length > largest || text.includes("\0") ? undefined : text;
    } catch (error) {
      return (error as { code?: string }).code === "ENOENT" ? null : undefined;
    }
  };

  const answerOf = (said: string | undefined) => {
    try {
      return JSON.parse(said ?? "") as { decision?: string; edits?: Record<string, unknown>; message?: string };
    } catch {
      return { decision: "stop" };
    }
  };

  host.on("session_start", () => enter(mode));
  host.registerCommand(command, { description: "Set by Gantry", handler: async (rung) => enter(rung.trim()) });

  host.on("tool_call", async ({ toolName, toolCallId, input }, context) => {
    if (reading.includes(toolName)) return undefined;
    if (mode === "plan") return { block: true, reason: "Permission denied because plan mode changes nothing." };
    const edits = editing.includes(toolName);
    const file = edits ? place(input.path, context.cwd) : undefined;
    const before = file === undefined ? undefined : content(file);
    const about = JSON.stringify({ call: toolCallId, tool: toolName, input, before });
    const inside = file?.startsWith(`${context.cwd}/`) === true;
    const free = mode === "full-auto" || mode === "inherit" || (mode === "auto-edit" && inside);
    if (free && edits && context.hasUI) context.ui.setStatus(name, about);
    if (free) return undefined;
    if (!context.hasUI) return { block: true, reason: "Permission denied because nobody can be asked here." };
    const said = await context.ui.select(`${name} ${about}`, ["allow", "deny"], { signal: context.signal });
    const answer = answerOf(said);
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

/** The gate as the file of an extension, on this rung to begin with. */
export function gateFile(mode: Mode): string {
  const means = `start: ${JSON.stringify(mode)}, gate: ${JSON.stringify(GATE)}, command: ${JSON.stringify(MODE_COMMAND)}`;
  return [
    'import { readFileSync } from "node:fs";',
    'import { resolve } from "node:path";',
    `const gate = ${gate.toString()};`,
    'const read = (path) => readFileSync(path, "utf8");',
    `export default (host) => gate(host, { ${means}, resolve, read });`,
    "",
  ].join("\n");
}
