import type { Mode } from "@gantry/protocol";

/** The permission mode that Claude Code is started in or set to, for each rung. */
const nativeModes: Record<Exclude<Mode, "inherit">, string> = {
  plan: "plan",
  ask: "default",
  "auto-edit": "acceptEdits",
  "full-auto": "bypassPermissions",
};

/**
 * The rung that a native mode amounts to. `auto` lets a classifier decide in place of a person, so it counts as the
 * freest rung; `dontAsk` denies what `default` would ask for, so it is no freer than asking.
 */
const rungs: Record<string, Mode> = {
  plan: "plan",
  default: "ask",
  manual: "ask",
  dontAsk: "ask",
  acceptEdits: "auto-edit",
  auto: "full-auto",
  bypassPermissions: "full-auto",
};

export function rungOf(native: string | undefined): Mode | undefined {
  return native !== undefined && Object.hasOwn(rungs, native) ? rungs[native] : undefined;
}

export function nativeOf(mode: Mode): string | undefined {
  return mode === "inherit" ? undefined : nativeModes[mode];
}

/** What each rung means here, for people to read. */
export const modes: Record<Exclude<Mode, "inherit">, string> = {
  plan: "Claude reads and plans; it changes nothing until the plan is approved.",
  ask: "Claude asks before it edits files or runs commands that change something.",
  "auto-edit": "Claude edits files without asking and asks before it runs commands.",
  "full-auto": "Claude does everything without asking (bypassPermissions). As root it also needs IS_SANDBOX=1.",
};
