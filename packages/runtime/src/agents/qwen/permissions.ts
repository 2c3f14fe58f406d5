import { join } from "node:path";
import type { LaunchOptions } from "../contract.ts";
import type { LaunchPart } from "../kit/launch-parts.ts";

/** Tools that change something or reach out, by Qwen's names and for its MCP servers. */
const acting = [
  ...["edit", "write_file", "notebook_edit", "save_memory"],
  ...["run_shell_command", "monitor", "exec", "workflow", "enter_worktree", "exit_worktree"],
  ...["web_fetch", "image_gen", "cron_create", "cron_delete", "create_sub_session"],
  "mcp__*",
];

/**
 * Pins the modes for one process. Qwen's `ask` rules win over its `allow` rules and are subject to the mode: plan refuses
 * what they cover, auto-edit edits without asking, yolo asks nothing. They are given as the machine's settings, which win
 * over the user's and the project's and are extended, not replaced. `inherit` leaves the user's rules alone.
 */
export function modePermissions({ mode, dir, cwd, project }: LaunchOptions): LaunchPart | undefined {
  const untrusted = project === "untrusted";
  if (mode === "inherit" && !untrusted) return undefined;
  const settings = {
    ...(mode === "inherit" ? {} : { permissions: { ask: acting } }),
    ...(untrusted ? { security: { folderTrust: { enabled: true } } } : {}),
  };
  return {
    env: { [VARIABLE]: join(dir, FILE), ...(untrusted ? { [TRUST_VARIABLE]: join(dir, TRUST_FILE) } : {}) },
    overlays: { [FILE]: { variable: VARIABLE, path: MACHINE, settings } },
    ...(untrusted ? { files: { [TRUST_FILE]: JSON.stringify({ [cwd]: "DO_NOT_TRUST" }) } } : {}),
  };
}

/** The list of folders that Qwen trusts, for a project whose code must not run. */
const TRUST_FILE = "trusted-folders.json";
const TRUST_VARIABLE = "QWEN_CODE_TRUSTED_FOLDERS_PATH";

const FILE = "settings.json";
const VARIABLE = "QWEN_CODE_SYSTEM_SETTINGS_PATH";
const MACHINE =
  process.platform === "darwin"
    ? "/Library/Application Support/QwenCode/settings.json"
    : "/etc/qwen-code/settings.json";
