import { resolve } from "node:path";

/** The names that Claude Code has for the same tools. Matchers may use both. */
const CLAUDE_NAMES: Record<string, string> = {
  bash: "Bash",
  read: "Read",
  write: "Write",
  edit: "Edit",
  grep: "Grep",
  find: "Glob",
  fetch: "WebFetch",
  task: "Task",
  todo: "TodoWrite",
};

/** The name that a hook receives, and all names that a matcher may use. */
export function hookNames(tool: string): { name: string; all: string[] } {
  const claude = Object.hasOwn(CLAUDE_NAMES, tool) ? CLAUDE_NAMES[tool] : undefined;
  return { name: claude ?? tool, all: claude === undefined ? [tool] : [claude, tool] };
}

/** The input as hooks of Claude Code expect it: a path is absolute, and named `file_path` too. */
export function toHookInput(args: Record<string, unknown>, cwd: string): Record<string, unknown> {
  const { path } = args;
  return typeof path === "string" && !/^\w+:\/\//.test(path) ? { ...args, file_path: resolve(cwd, path) } : args;
}

/** The input of a tool from what a hook returned. */
export function fromHookInput(input: Record<string, unknown>, args: Record<string, unknown>): Record<string, unknown> {
  const { file_path, ...rest } = input;
  if (file_path === undefined || !("path" in args)) return input;
  const isSame = rest.path === undefined || rest.path === args.path;
  return { ...rest, path: isSame ? file_path : rest.path };
}
