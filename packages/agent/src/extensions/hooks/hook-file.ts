/** The moments of Claude Code's hooks that exist in Gantry's agent. */
export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "Stop",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A command that runs at an event, for tools or reasons that match. */
export type CommandHook = { event: HookEvent; matcher: string; command: string; timeoutMs: number };

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 600;

/**
 * The hooks of a file in the format of Claude Code's settings: `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks":
 * [{"type": "command", "command": "…", "timeout": 10}]}]}}`. Other keys are ignored. Never throws.
 */
export function readHookFile(text: string): { hooks: CommandHook[]; problems: string[] } {
  const problems: string[] = [];
  const hooks: CommandHook[] = [];
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { hooks, problems: [`It is not valid JSON: ${(error as Error).message}`] };
  }
  const events = fields(fields(data).hooks);
  for (const [event, groups] of Object.entries(events)) {
    const known = HOOK_EVENTS.find((each) => each === event);
    if (!known) {
      problems.push(`Hooks at ${event} are not run: Gantry's agent has no such moment.`);
      continue;
    }
    for (const group of list(groups).map(fields)) {
      for (const hook of list(group.hooks).map(fields)) {
        const { type, command, timeout } = hook;
        if (type !== "command" || typeof command !== "string" || command.trim() === "") {
          problems.push(`A hook at ${event} is not run: only hooks of the type "command" are known.`);
          continue;
        }
        const seconds = typeof timeout === "number" && timeout > 0 ? Math.min(timeout, MOST_SECONDS) : DEFAULT_SECONDS;
        const matcher = typeof group.matcher === "string" ? group.matcher : "";
        hooks.push({ event: known, matcher, command, timeoutMs: seconds * 1000 });
      }
    }
  }
  return { hooks, problems: [...new Set(problems)] };
}

/** The command lines of a hook file, or those that a Markdown command runs, for trust. */
export function commandLinesIn(text: string): string[] {
  const { hooks } = readHookFile(text);
  const embedded = [...text.matchAll(/!`([^`\n]+)`/g)].map(([, command = ""]) => command);
  return [...hooks.map(({ command }) => command), ...embedded];
}

/** Whether a matcher selects a name: empty and `*` select all, else a regular expression for the whole name. */
export function matchesHook(matcher: string, names: readonly string[]): boolean {
  if (matcher === "" || matcher === "*") return true;
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return names.some((name) => pattern.test(name));
  } catch {
    return names.includes(matcher);
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
