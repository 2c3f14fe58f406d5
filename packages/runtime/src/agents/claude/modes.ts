import { type ControlValues, type Mode, permitControls } from "@gantry/protocol";
import { claudeControls, PERMISSION_MODE } from "./controls.ts";

/** Claude Code's permission mode for each mode. */
const nativeModes: Record<Exclude<Mode, "inherit">, string> = {
  plan: "plan",
  ask: "default",
  "auto-edit": "acceptEdits",
  "full-auto": "bypassPermissions",
};

/**
 * The mode for a native permission mode. `auto` lets a classifier decide, so it counts as full-auto; `dontAsk` denies
 * what `default` would ask for, so it counts as ask.
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

/** The permission mode that a session chose, if its mode permits it, or the one of its mode. */
export function nativeOf(mode: Mode, controls: ControlValues = {}): string | undefined {
  const chosen = permitControls(claudeControls, mode, controls).values[PERMISSION_MODE];
  return chosen ?? (mode === "inherit" ? undefined : nativeModes[mode]);
}

/** Descriptions for the user. */
export const modes: Record<Mode, string> = {
  plan: "Claude reads and plans; it changes nothing until the plan is approved.",
  ask: "Claude asks before it edits files or runs commands that change something.",
  "auto-edit": "Claude edits files without asking and asks before it runs commands.",
  "full-auto": "Claude does everything without asking (bypassPermissions). As root it also needs IS_SANDBOX=1.",
  inherit: "as configured in Claude Code",
};
