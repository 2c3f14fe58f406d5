import { existsSync, globSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readRegularFile } from "@gantry/trust";
import type { Position, WorkspaceEdit } from "vscode-languageserver-types";
import { z } from "zod";
import { type Tool, type ToolContext, ToolError, type ToolPlace } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";
import { moveFile } from "../disk/change.ts";
import { confirmChanges, type LateChange } from "../disk/confirm-changes.ts";
import { actionPath } from "../disk/path.ts";
import type { LspClient } from "./client.ts";
import { applyWorkspaceEdit, type Confirm, touchedFiles } from "./edits.ts";
import type { CodeAction, LspCommand, SymbolNode } from "./protocol.ts";
import type { ProjectServers } from "./servers-of-project.ts";
import { locationsOf, showDiagnostics, showHover, showLocation, showSymbols } from "./show.ts";

const ACTIONS = [
  "diagnostics", "definition", "references", "hover", "symbols", "rename", "rename_file", "code_actions",
  "type_definition", "implementation", "status", "reload", "capabilities", "request",
] as const; // biome-ignore format: a table

const schema = () =>
  z.object({
    action: z.enum(ACTIONS),
    file: z.string().optional().describe("Path; for diagnostics also a glob"),
    line: z.number().int().min(1).optional().describe("Counted from one"),
    symbol: z.string().optional().describe("The name on that line; name#2 is its second occurrence"),
    query: z.string().optional().describe("symbols: the name to search; code_actions: the action; request: the method"),
    new_name: z.string().optional().describe("rename: the new name; rename_file: the new path"),
    apply: z.boolean().optional().describe("rename: false only previews; code_actions: true applies the action"),
    timeout: z.number().optional().describe("Seconds, 5 to 60; 20 if left out"),
    payload: z.string().optional().describe("request: the parameters as JSON"),
  });
type Args = z.output<ReturnType<typeof schema>>;
type Call = { args: Args; context: ToolContext; servers: ProjectServers; timeoutMs: number; confirm: Confirm };

const MOST = { targets: 20, symbols: 200, references: 50, places: 200 };
const PLACES: Partial<Record<Args["action"], string>> = {
  definition: "textDocument/definition",
  type_definition: "textDocument/typeDefinition",
  implementation: "textDocument/implementation",
  references: "textDocument/references",
};

export function lspTool(servers: ProjectServers): Tool {
  return defineTool({
    name: "lsp",
    label: "Language server",
    description:
      "Queries the project's language servers: errors, definitions, references, types, symbols; renames across files. A position is a file, a line and a name on that line.",
    schema,
    title: ({ action, file, symbol, query }) => [action, file, symbol ?? query].filter(Boolean).join(" "),
    actions: (args, place) => {
      const path = args.file === undefined ? place.cwd : actionPath(args.file, place);
      if (!changes(args)) return [{ kind: "file.read", path }];
      const target = args.action === "rename_file" && args.new_name ? [actionPath(args.new_name, place)] : [];
      return [path, ...target].map((each) => ({ kind: "file.write" as const, path: each }));
    },
    async run(args, context, actions) {
      const confirm = (late: readonly LateChange[]) => confirmChanges(late, context, actions);
      const timeoutMs = Math.min(60, Math.max(5, args.timeout ?? 20)) * 1000;
      const call = { args, context, servers, timeoutMs, confirm };
      if (changes(args)) servers.changing.push(confirm);
      try {
        const lines = await RUN[args.action](call);
        return lines.join("\n") || "Nothing found.";
      } finally {
        servers.changing = servers.changing.filter((each) => each !== confirm);
      }
    },
  });
}

/** `request` may have any effect. */
function changes({ action, apply }: Args): boolean {
  if (action === "rename") return apply !== false;
  return action === "rename_file" || action === "request" || (action === "code_actions" && apply === true);
}

const RUN: Record<Args["action"], (call: Call) => Promise<string[]>> = {
  diagnostics,
  definition: places,
  type_definition: places,
  implementation: places,
  references: places,
  hover,
  symbols,
  rename,
  rename_file: renameFile,
  code_actions: codeActions,
  status,
  reload: async ({ servers }) => {
    await servers.reload();
    return ["The servers will start again when they are needed."];
  },
  capabilities: async (call) =>
    (await clientsFor(call, false)).map((client) => `${client.server.name}: ${JSON.stringify(client.capabilities)}`),
  request: rawRequest,
};

async function diagnostics({ args, context, servers, timeoutMs }: Call): Promise<string[]> {
  const file = requireValue(args.file, "file");
  const isGlob = /[*?{]/.test(file);
  const found = isGlob ? globSync(file, { cwd: context.cwd }).slice(0, MOST.targets) : [file];
  const lines: string[] = [];
  for (const one of found) {
    const path = requireFile(one, context);
    const reports = await servers.diagnostics(path, Math.min(timeoutMs, isGlob ? 3000 : timeoutMs), context.signal);
    if (reports.length === 0) throw new ToolError(await noServerMessage(servers, one, path));
    lines.push(...reports.flatMap(({ server, found: each }) => showDiagnostics(one, each, server)));
  }
  return lines.length > 0 ? lines : [found.length === 0 ? "No file matches." : "No problems found."];
}

async function places(call: Call): Promise<string[]> {
  const { args, context, timeoutMs } = call;
  const [client, params] = await resolvePosition(call);
  const method = PLACES[args.action] ?? "";
  const more = args.action === "references" ? { context: { includeDeclaration: true } } : {};
  const answer = await client.request(method, { ...params, ...more }, timeoutMs, context.signal);
  const found = locationsOf(answer);
  const lines = found
    .slice(0, MOST.places)
    .map((place, index) => showLocation(place, context.cwd, index < MOST.references));
  return found.length > lines.length ? [...lines, `… and ${found.length - lines.length} more`] : lines;
}

async function hover(call: Call): Promise<string[]> {
  const [client, params] = await resolvePosition(call);
  return [showHover(await client.request("textDocument/hover", params, call.timeoutMs, call.context.signal))];
}

async function symbols(call: Call): Promise<string[]> {
  const { args, context, timeoutMs } = call;
  const [client] = await clientsFor(call, true);
  if (args.file === undefined) {
    const answer = await client!.request(
      "workspace/symbol",
      { query: requireValue(args.query, "query or file") },
      timeoutMs,
      context.signal,
    );
    return showSymbols((answer as SymbolNode[] | null) ?? [], context.cwd).slice(0, MOST.symbols);
  }
  const uri = client!.sync(requireFile(args.file, context));
  const answer = await client!.request(
    "textDocument/documentSymbol",
    { textDocument: { uri } },
    timeoutMs,
    context.signal,
  );
  const lines = showSymbols((answer as SymbolNode[] | null) ?? [], context.cwd);
  const wanted = args.query?.toLowerCase();
  return (wanted ? lines.filter((line) => line.toLowerCase().includes(wanted)) : lines).slice(0, MOST.symbols);
}

async function rename(call: Call): Promise<string[]> {
  const { args, context, timeoutMs } = call;
  const newName = requireValue(args.new_name, "new_name");
  const [client, params] = await resolvePosition(call);
  const edit = await client.request("textDocument/rename", { ...params, newName }, timeoutMs, context.signal);
  if (!edit) throw new ToolError("This symbol cannot be renamed.");
  return await change(edit as WorkspaceEdit, call, args.apply !== false);
}

async function renameFile(call: Call): Promise<string[]> {
  const { args, context, timeoutMs } = call;
  const from = requireFile(requireValue(args.file, "file"), context);
  const to = resolvePath(requireValue(args.new_name, "new_name"), context);
  if (existsSync(to)) throw new ToolError(`${to} already exists.`);
  const files = [{ oldUri: pathToFileURL(from).href, newUri: pathToFileURL(to).href }];
  const lines: string[] = [];
  for (const client of await call.servers.clients(from, true)) {
    client.sync(from);
    const edit = await client
      .request("workspace/willRenameFiles", { files }, timeoutMs, context.signal)
      .catch(() => null);
    if (edit) lines.push(...(await change(edit as WorkspaceEdit, call, true)));
  }
  // The servers took their time: the target may point elsewhere by now.
  const [source = from, target = to] = await call.confirm([
    { kind: "file.delete", path: from },
    { kind: "file.write", path: to },
  ]);
  await moveFile(source, target);
  for (const client of await call.servers.clients(to, true)) client.notify("workspace/didRenameFiles", { files });
  return [`Renamed to ${relative(context.cwd, to)}.`, ...lines];
}

async function codeActions(call: Call): Promise<string[]> {
  const { args, context, timeoutMs } = call;
  const path = requireFile(requireValue(args.file, "file"), context);
  const position = positionIn(path, requireValue(args.line, "line"), args.symbol);
  const range = { start: position, end: position };
  const found: [LspClient, CodeAction][] = [];
  for (const client of await clientsFor(call, false)) {
    const uri = client.sync(path);
    const wrong = (await client.diagnostics(path, 3000, context.signal).catch(() => [])).filter(
      ({ range: { start, end } }) => start.line <= position.line && end.line >= position.line,
    );
    const params = { textDocument: { uri }, range: wrong[0]?.range ?? range, context: { diagnostics: wrong } };
    const answer = await client.request("textDocument/codeAction", params, timeoutMs, context.signal).catch(() => null);
    for (const action of (answer as CodeAction[] | null) ?? []) found.push([client, action]);
  }
  if (!args.apply)
    return found.map(([, { title, kind }], index) => `${index + 1}. ${title}${kind ? ` (${kind})` : ""}`);
  const chosen = found.find(
    ([, { title }], index) => args.query === String(index + 1) || (args.query && title.includes(args.query)),
  );
  if (!chosen) throw new ToolError("Choose one with `query`: its number or a part of its title.");
  return await applyAction(chosen[0], chosen[1], call);
}

async function applyAction(client: LspClient, action: CodeAction, call: Call): Promise<string[]> {
  const { timeoutMs, context } = call;
  const whole =
    action.edit || action.command
      ? action
      : ((await client.request("codeAction/resolve", action, timeoutMs, context.signal)) as CodeAction);
  const lines = whole.edit ? await change(whole.edit, call, true) : [];
  const command: LspCommand | undefined =
    typeof whole.command === "string" ? { command: whole.command, arguments: whole.arguments } : whole.command;
  if (command) {
    const params = { command: command.command, arguments: command.arguments ?? [] };
    await client.request("workspace/executeCommand", params, timeoutMs, context.signal);
  }
  return [`Done: ${action.title}`, ...lines];
}

async function status({ servers }: Call): Promise<string[]> {
  const { servers: found, problems } = await servers.config();
  const running = servers.listRunning();
  const state = (name: string) =>
    servers.failures.get(name) ?? (running.includes(name) ? "running" : "not started yet");
  const lines = found.map(({ name, resolvedCommand }) => `${name} (${resolvedCommand}): ${state(name)}`);
  const untrusted = await servers.explainUntrusted(undefined);
  const none = ["There is no language server for this project here."];
  return [...(lines.length > 0 ? lines : none), ...untrusted, ...problems];
}

async function rawRequest(call: Call): Promise<string[]> {
  const [client] = await clientsFor(call, true);
  const { args, context, timeoutMs } = call;
  let params: unknown;
  try {
    params = args.payload === undefined ? {} : JSON.parse(args.payload);
  } catch {
    throw new ToolError("`payload` is not valid JSON.");
  }
  const answer = await client!.request(requireValue(args.query, "query"), params, timeoutMs, context.signal);
  return [JSON.stringify(answer, null, 2) ?? "null"];
}

/** Applies the edit, or lists the files that it would change. */
async function change(edit: WorkspaceEdit, { context, servers, confirm }: Call, apply: boolean): Promise<string[]> {
  const names = (paths: string[]) => paths.map((path) => `- ${relative(context.cwd, path)}`);
  if (!apply) return ["It would change:", ...names(touchedFiles(edit))];
  const paths = await applyWorkspaceEdit(edit, confirm, context.signal);
  for (const path of paths.filter((each) => existsSync(each)))
    for (const client of await servers.clients(path, false)) client.sync(path);
  return ["Changed:", ...names(paths)];
}

async function resolvePosition(
  call: Call,
): Promise<[LspClient, { textDocument: { uri: string }; position: Position }]> {
  const path = requireFile(requireValue(call.args.file, "file"), call.context);
  const position = positionIn(path, requireValue(call.args.line, "line"), call.args.symbol);
  const [client] = await clientsFor(call, true);
  return [client!, { textDocument: { uri: client!.sync(path) }, position }];
}

/** The started servers for the file, at least one. Throws a `ToolError` otherwise. */
async function clientsFor({ args, context, servers }: Call, types: boolean): Promise<LspClient[]> {
  const path = args.file === undefined ? undefined : resolvePath(args.file, context);
  const clients = await servers.clients(path, types);
  if (clients.length === 0) throw new ToolError(await noServerMessage(servers, args.file ?? "this project", path));
  return clients;
}

async function noServerMessage(servers: ProjectServers, what: string, path: string | undefined): Promise<string> {
  const failed = [...servers.failures].map(([name, why]) => `${name} did not start: ${why}`);
  const untrusted = await servers.explainUntrusted(path);
  return [`There is no language server for ${what} here.`, ...failed, ...untrusted].join("\n");
}

function positionIn(path: string, line: number, symbol: string | undefined): Position {
  const text = readRegularFile(path).toString("utf8").split("\n")[line - 1];
  if (text === undefined) throw new ToolError(`The file has no line ${line}.`);
  if (symbol === undefined) return { line: line - 1, character: Math.max(0, text.search(/\S/)) };
  const [, name = symbol, nth = "1"] = /^(.+)#(\d+)$/.exec(symbol) ?? [];
  let character = -1;
  for (let count = 0; count < Number(nth); count++) {
    character = text.indexOf(name, character + 1);
    if (character < 0) throw new ToolError(`Line ${line} does not have ${symbol}: ${text.trim()}`);
  }
  return { line: line - 1, character };
}

function resolvePath(file: string, place: Pick<ToolPlace, "cwd">): string {
  return isAbsolute(file) ? file : resolve(place.cwd, file);
}

function requireFile(file: string, place: Pick<ToolPlace, "cwd">): string {
  const path = resolvePath(file, place);
  if (!existsSync(path)) throw new ToolError(`There is no file ${file}.`);
  return path;
}

function requireValue<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new ToolError(`This needs \`${name}\`.`);
  return value;
}
