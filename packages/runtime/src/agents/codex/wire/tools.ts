import type { FileChange, ToolKind } from "@gantry/protocol";
import { compact, type Fields, fields, firstLine, list, nonBlank, number, text, texts } from "../../fields.ts";
import { patchChanges } from "./changes.ts";
import { unwrapShell } from "./shell.ts";

export type ToolStart = {
  name: string;
  kind: ToolKind;
  title: string;
  input?: unknown;
  locations?: { path: string; line?: number }[];
  mcp?: { server: string; tool: string };
};

export type ToolEnd = {
  status: "ok" | "error" | "denied" | "interrupted";
  output?: string;
  structured?: unknown;
  exitCode?: number | null;
  durationMs?: number;
  changes?: FileChange[];
};

/** How to read the start and end of a kind of tool call. */
export type Tool = { start(item: Fields): ToolStart; end(item: Fields): ToolEnd };

/** Item types that are tool calls. */
export const tools: Record<string, Tool> = {
  commandExecution: { start: commandStart, end: commandEnd },
  fileChange: { start: patchStart, end: patchEnd },
  mcpToolCall: { start: mcpStart, end: mcpEnd },
  dynamicToolCall: { start: dynamicStart, end: dynamicEnd },
  collabAgentToolCall: { start: collabStart, end: collabEnd },
  webSearch: { start: searchStart, end: searchEnd },
  imageView: {
    start: (item) => ({
      name: "view_image",
      kind: "read",
      title: `View ${text(item.path) ?? "image"}`,
      input: { path: item.path },
      locations: paths([item.path]),
    }),
    end: () => ({ status: "ok" }),
  },
  imageGeneration: {
    start: (item) => ({
      name: "image_generation",
      kind: "other",
      title: firstLine(nonBlank(item.revisedPrompt) ?? "Image"),
    }),
    end: (item) => ({
      status: item.failure ? "error" : "ok",
      structured: compact({ savedPath: item.savedPath, fileId: item.fileId, failure: item.failure ?? undefined }),
    }),
  },
  sleep: {
    start: (item) => ({ name: "sleep", kind: "other", title: `Wait ${number(item.durationMs) ?? 0} ms` }),
    end: (item) => compact({ status: "ok" as const, durationMs: number(item.durationMs) }),
  },
  functionCallOutput: {
    start: (item) => ({ name: text(item.name) ?? "function", kind: "other", title: text(item.name) ?? "function" }),
    end: (item) => ({ status: "ok", output: text(item.output) ?? contentText(item.output) }),
  },
};

function commandStart(item: Fields): ToolStart {
  const command = unwrapShell(text(item.command) ?? "");
  const read = list(item.commandActions)
    .map(fields)
    .filter((action) => action.type === "read");
  return compact({
    name: "shell",
    kind: "execute",
    title: firstLine(command) || "Command",
    input: compact({ command, cwd: text(item.cwd) }),
    locations: paths(read.map((action) => action.path)),
  });
}

function commandEnd(item: Fields): ToolEnd {
  const failed = item.status === "failed" || (number(item.exitCode) ?? 0) !== 0;
  return compact({
    status: item.status === "declined" ? "denied" : failed ? "error" : "ok",
    output: text(item.aggregatedOutput),
    exitCode: number(item.exitCode),
    durationMs: number(item.durationMs),
  });
}

function patchStart(item: Fields): ToolStart {
  const changes = patchChanges(item.changes);
  const [only] = changes;
  const title = changes.length === 1 && only ? `${patchVerbs[only.kind]} ${only.path}` : `Edit ${changes.length} files`;
  return compact({
    name: "apply_patch",
    kind: "edit",
    title,
    input: { changes: changes.map(({ path, kind, to }) => compact({ path, kind, to })) },
    locations: paths(changes.map((change) => change.path)),
  });
}

const patchVerbs: Record<FileChange["kind"], string> = { add: "Add", update: "Edit", delete: "Delete", move: "Move" };

function patchEnd(item: Fields): ToolEnd {
  const status = item.status === "declined" ? "denied" : item.status === "failed" ? "error" : "ok";
  return { status, changes: patchChanges(item.changes) };
}

function mcpStart(item: Fields): ToolStart {
  const server = text(item.server) ?? "";
  const tool = text(item.tool) ?? "";
  return { name: tool, kind: "other", title: `${server}: ${tool}`, input: item.arguments, mcp: { server, tool } };
}

function mcpEnd(item: Fields): ToolEnd {
  const result = fields(item.result);
  const error = nonBlank(fields(item.error).message);
  return compact({
    status: item.status === "failed" || error ? "error" : "ok",
    output: error ?? contentText(result.content),
    structured: result.structuredContent ?? result.structured_content ?? undefined,
    durationMs: number(item.durationMs),
  });
}

function dynamicStart(item: Fields): ToolStart {
  const name = [nonBlank(item.namespace), text(item.tool)].filter(Boolean).join(".");
  return { name, kind: "other", title: name, input: item.arguments };
}

function dynamicEnd(item: Fields): ToolEnd {
  return compact({
    status: item.status === "failed" || item.success === false ? "error" : "ok",
    output: contentText(item.contentItems),
    durationMs: number(item.durationMs),
  });
}

function collabStart(item: Fields): ToolStart {
  const name = text(item.tool) ?? "agent";
  const title = firstLine(nonBlank(item.prompt) ?? name);
  const agents = texts(item.receiverThreadIds);
  return { name, kind: "other", title, input: compact({ prompt: text(item.prompt), model: text(item.model), agents }) };
}

function collabEnd(item: Fields): ToolEnd {
  const status = item.status === "failed" ? "error" : item.status === "interrupted" ? "interrupted" : "ok";
  return { status, structured: item.agentsStates };
}

function searchStart(item: Fields): ToolStart {
  const action = fields(item.action);
  const what =
    nonBlank(item.query) ?? nonBlank(action.query) ?? nonBlank(action.url) ?? texts(action.queries).join(", ");
  const kind = action.type === "open_page" || action.type === "find_in_page" ? "fetch" : "search";
  return {
    name: "web_search",
    kind,
    title: firstLine(what) || "Web search",
    input: compact({ query: what, action: item.action }),
  };
}

function searchEnd(item: Fields): ToolEnd {
  const results = list(item.results);
  return compact({ status: "ok" as const, structured: results.length > 0 ? results : undefined });
}

/** The text of a list of content items. */
function contentText(content: unknown): string | undefined {
  const parts = list(content).map(
    (entry) => text(fields(entry).text) ?? (text(fields(entry).type) ? `[${fields(entry).type}]` : ""),
  );
  return parts.length > 0 ? parts.join("\n") : undefined;
}

function paths(values: unknown[]): { path: string }[] | undefined {
  const found = values.filter((value): value is string => typeof value === "string" && value !== "");
  return found.length > 0 ? found.map((path) => ({ path })) : undefined;
}
