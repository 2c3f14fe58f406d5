import { asArray, asObject, asText, type Json } from "../json.ts";
import type { PieceSize } from "../pieces.ts";
import { fitArguments, typeOf } from "./arguments.ts";
import type { OfferedTool } from "./conversation.ts";
import type { Block } from "./script.ts";

/** A block whose tool is known: what a wire format writes. */
export type Reply =
  | { type: "text" | "think"; text: string; size?: PieceSize; delay?: number | "slow" }
  | { type: "tool"; name: string; argumentsText: string }
  | { type: "freeform"; name: string; text: string };

type Operation = Extract<Block, { type: "write" | "edit" | "read" | "bash" }>;

/** Names under which agents offer the same tool, most specific first. */
const TOOL_NAMES = {
  write: [
    ...["Write", "write", "write_file", "WriteFile", "create_file", "Create", "write_to_file", "fs_write", "create"],
    ...["editor", "save-file"],
  ],
  edit: [
    "Edit",
    "edit",
    "replace",
    "edit_file",
    "StrReplaceFile",
    "str_replace",
    "str_replace_based_edit_tool",
    "editor",
    "string_replace",
  ],
  read: ["Read", "read", "read_file", "ReadFile", "view", "read_files"],
  bash: [
    ...["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "Shell", "shell", "Execute"],
    ...["execute_command", "run_command", "run_commands", "launch-process", "terminal", "local_shell"],
    "run_terminal_command",
    "execute_bash",
  ],
} as const;

/** Gemini's subagents end only after they return their answer with a tool. */
export function endingCall(blocks: readonly Block[], tools: OfferedTool[]): Block[] {
  const answer = blocks.findLast((block) => block.type === "text");
  const calls = blocks.some(({ type }) => type !== "text" && type !== "think");
  if (calls || !answer || !pick(tools, ["complete_task"])) return [];
  return [{ type: "call", names: ["complete_task"], input: { result: answer.text, response: answer.text } }];
}

/** Gemini requires the plan as a file before it asks for approval. The system prompt contains the path. */
export function planFile(blocks: readonly Block[], system: string): Block[] {
  const folder = /ONLY within: `([^`]+)`/.exec(system)?.[1];
  const offer = blocks.find((block) => block.type === "call" && block.names.includes("exit_plan_mode"));
  if (!folder || offer?.type !== "call") return [];
  return [{ type: "write", file: `${folder}${offer.input.plan_filename}`, content: `${offer.input.plan}\n` }];
}

/** Turns a block into a call of an offered tool, or into a text if no tool fits. */
export function bindTool(block: Block, tools: OfferedTool[], cwd: string): Reply {
  if (block.type === "text" || block.type === "think") return block;
  if (block.type === "call") return bindCall(block, tools);
  if (block.type === "badcall") return bindBadCall(block, tools);
  if (block.type === "served") return bindServed(block, tools);
  return bindOperation(block, tools, cwd) ?? notOffered(block.type, tools);
}

function bindCall(block: Extract<Block, { type: "call" }>, tools: OfferedTool[]): Reply {
  if (block.offered === false) return toolCall(block.names[0] as string, block.input);
  const tool = pick(tools, block.names);
  if (!tool) return notOffered(block.names[0] as string, tools);
  return toolCall(tool.name, fitArguments(tool.schema, { ...block.input, ...generalAgent(tool) }));
}

function bindServed({ name, input, round, after }: Extract<Block, { type: "served" }>, tools: OfferedTool[]): Reply {
  const search = pick(tools, ["ToolSearch", "search_tool"]);
  if (search && round === 1) return toolCall(search.name, fitArguments(search.schema, { query: name }));
  if (!search && round === 2) return { type: "text", text: after };
  const tool = tools.find((offered) => offered.name.endsWith(name) || offered.name.startsWith(`${name}_`));
  // Grok calls the tools of MCP servers through its tool `use_tool`.
  const proxy = pick(tools, ["use_tool"]);
  if (!tool && proxy) return toolCall(proxy.name, { tool_name: `lighthouse__${name}`, tool_input: input });
  return tool ? toolCall(tool.name, fitArguments(tool.schema, input)) : notOffered(name, tools);
}

/** OpenCode's `task`, Droid's `Task` and Kimi's `Agent` know their general agent by other names. */
function generalAgent({ name, schema }: OfferedTool): Json {
  const { description } = asObject(asObject(schema.properties).subagent_type);
  if (/Defaults to "coder"/.test(asText(description))) return { subagent_type: "coder" };
  if (name === "task") return { subagent_type: "general" };
  return name === "Task" && asObject(schema.properties).complexity ? { subagent_type: "worker" } : {};
}

function bindBadCall(block: Extract<Block, { type: "badcall" }>, tools: OfferedTool[]): Reply {
  const tool = pick(tools, [...TOOL_NAMES.write, ...TOOL_NAMES.bash]);
  if (!tool) return notOffered("write", tools);
  return { type: "tool", name: tool.name, argumentsText: block.argumentsText };
}

function bindOperation(operation: Operation, tools: OfferedTool[], cwd: string): Reply | null {
  const codeTool = tools.find((tool) => tool.freeform && tool.name === "exec");
  if (codeTool) return { type: "freeform", name: codeTool.name, text: asScript(operation) };
  const tool = pick(tools, TOOL_NAMES[operation.type]);
  if (tool) return toolCall(tool.name, argumentsFor(tool, operation, cwd));
  const patchTool = pick(tools, ["apply_patch", "ApplyPatch"]);
  if (patchTool && (operation.type === "write" || operation.type === "edit")) return bindPatch(patchTool, operation);
  const shell = pick(tools, TOOL_NAMES.bash);
  if (!shell) return null;
  const command: Operation = { type: "bash", command: asCommand(operation), description: "Run a command" };
  return toolCall(shell.name, argumentsFor(shell, command, cwd));
}

function bindPatch(tool: OfferedTool, operation: Operation): Reply {
  const patch = asPatch(operation);
  if (tool.freeform) return { type: "freeform", name: tool.name, text: patch };
  const key = asObject(tool.schema.properties).patchText ? "patchText" : "input";
  return toolCall(tool.name, { [key]: patch });
}

/** Every argument name that a tool may use for a value; the schema decides. */
function argumentsFor(tool: OfferedTool, operation: Operation, cwd: string): Json {
  const properties = asObject(tool.schema.properties);
  if (Object.keys(properties).length === 0) return plainArguments(operation, cwd);
  const wanted: Json = {};
  for (const [key, value] of Object.entries(properties)) {
    const found = valueFor(key.toLowerCase(), asObject(value), operation, cwd);
    if (found !== undefined) wanted[key] = found;
  }
  return fitArguments(tool.schema, wanted);
}

function valueFor(key: string, schema: Json, operation: Operation, cwd: string): unknown {
  const list = typeOf(schema) === "array";
  if (operation.type === "bash") {
    if (/^(command|cmd|script)$/.test(key)) return list ? ["bash", "-lc", operation.command] : operation.command;
    if (key === "commands") return list ? [operation.command] : operation.command;
    // Droid requires a summary of three to eight terms and the model's risk estimate.
    if (key === "summary") return "Run a scripted command";
    if (key === "risklevel") return "medium";
    // Auggie runs commands in the background unless `wait` is set, and requires the folder.
    if (key === "wait") return true;
    if (key === "cwd" && /^Required/.test(asText(schema.description))) return cwd;
    if (operation.background) {
      const value = backgroundValue(key, schema);
      if (value !== undefined) return value;
    }
    if (operation.patient && key === "yield_time_ms") return LONGEST_YIELD_MS;
    return key === "description" ? operation.description : undefined;
  }
  const path = toAbsolute(operation.file, cwd);
  if (/^(file_?path|path|absolute_path|filename|target_file|file)$/.test(key)) return path;
  if (/^(paths|files|file_paths)$/.test(key)) {
    return typeOf(asObject(schema.items)) === "object" ? [{ path, file_path: path, file: path }] : [path];
  }
  if (operation.type === "write" && /^(contents?|file_?text|file_?content|new_text|text)$/.test(key)) {
    return operation.content;
  }
  if (operation.type !== "edit") return undefined;
  if (/^old_?(string|str|text)$/.test(key)) return operation.before;
  if (/^new_?(string|str|text)$/.test(key)) return operation.after;
  if (key !== "edits" || !list) return undefined;
  const { before, after } = operation;
  return [
    { oldText: before, newText: after, old_string: before, new_string: after, old_text: before, new_text: after },
  ];
}

/** Codex returns after this time at the latest, while the command runs on. */
const LONGEST_YIELD_MS = 30_000;

/** How shell tools are asked to leave a command running. */
function backgroundValue(key: string, schema: Json): unknown {
  if (/^(run_in_background|fireandforget|is_background|background|async)$/.test(key)) return true;
  // Codex returns after this time; Copilot's mode leaves the shell running.
  if (key === "yield_time_ms") return 300;
  return key === "mode" && asArray(schema.enum).includes("async") ? "async" : undefined;
}

function plainArguments(operation: Operation, cwd: string): Json {
  if (operation.type === "bash") return { command: operation.command, description: operation.description };
  const file_path = toAbsolute(operation.file, cwd);
  if (operation.type === "read") return { file_path };
  if (operation.type === "write") return { file_path, content: operation.content };
  return { file_path, old_string: operation.before, new_string: operation.after };
}

function asCommand(operation: Operation): string {
  if (operation.type === "bash") return operation.command;
  if (operation.type === "read") return `cat ${operation.file}`;
  if (operation.type === "edit")
    return `sed -i ${quote(`s/${operation.before}/${operation.after}/`)} ${operation.file}`;
  return `printf '%s' ${quote(operation.content)} > ${operation.file}`;
}

/** Codex's code mode: one tool that runs JavaScript. */
function asScript(operation: Operation): string {
  if (operation.type === "write" || operation.type === "edit") {
    return `const r = await tools.apply_patch(${JSON.stringify(asPatch(operation))}); text(r);`;
  }
  const { background, patient } = operation.type === "bash" ? operation : {};
  const wait = background ? ", yield_time_ms: 300" : patient ? `, yield_time_ms: ${LONGEST_YIELD_MS}` : "";
  return `const r = await tools.exec_command({cmd: ${JSON.stringify(asCommand(operation))}${wait}}); text(r.output ?? r);`;
}

function asPatch(operation: Operation): string {
  const body =
    operation.type === "write"
      ? `*** Add File: ${operation.file}\n${prefixLines("+", operation.content)}`
      : operation.type === "edit"
        ? `*** Update File: ${operation.file}\n@@\n${prefixLines("-", operation.before)}\n${prefixLines("+", operation.after)}`
        : "";
  return `*** Begin Patch\n${body}\n*** End Patch`;
}

function prefixLines(mark: string, text: string): string {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => mark + line)
    .join("\n");
}

function pick(tools: OfferedTool[], names: readonly string[]): OfferedTool | undefined {
  for (const name of names) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool) return tool;
  }
  const lower = names.map((name) => name.toLowerCase());
  return tools.find((candidate) => lower.includes(candidate.name.toLowerCase()));
}

function toolCall(name: string, input: Json): Reply {
  return { type: "tool", name, argumentsText: JSON.stringify(input) };
}

function notOffered(wanted: string, tools: OfferedTool[]): Reply {
  return { type: "text", text: `(tool ${wanted} not offered; have ${tools.map((tool) => tool.name).join(",")})` };
}

const toAbsolute = (file: string, cwd: string) => (/^(\/|\w+:\/\/)/.test(file) ? file : `${cwd}/${file}`);
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
