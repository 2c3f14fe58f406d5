import { join } from "node:path";
import { readRegularText } from "@gantry/trust";
import type { LaunchOptions, OwnRules } from "../../contract.ts";
import { fields, texts } from "../../fields.ts";
import type { LaunchPart } from "../../kit/launch-parts.ts";
import { isAtLeast } from "../../probing/fallback.ts";
import { nativeOf, rungOf } from "../modes.ts";

/**
 * Reads the rules that deny or ask from Claude Code's settings: the user's, the project's and the user's for the project.
 * A missing or damaged file has none. Claude itself reports a damaged file.
 */
export function readOwnRules({ env, cwd }: { env: Readonly<Record<string, string>>; cwd: string }): OwnRules {
  const user = env.CLAUDE_CONFIG_DIR || join(env.HOME ?? "", ".claude");
  const project = join(cwd, ".claude");
  const files = [join(user, "settings.json"), join(project, "settings.json"), join(project, "settings.local.json")];
  const found = files.map(readPermissions);
  return { deny: found.flatMap(({ deny }) => deny), ask: found.flatMap(({ ask }) => ask) };
}

function readPermissions(path: string): OwnRules {
  try {
    const { deny, ask } = fields(fields(JSON.parse(readRegularText(path))).permissions);
    return { deny: texts(deny), ask: texts(ask) };
  } catch {
    return { deny: [], ask: [] };
  }
}

/**
 * Pins the mode for one process: only the rules given here count, not the `allow` rules of the user or the project. Rules
 * that deny stay in force in every mode, rules that ask in the modes that ask. `inherit` leaves all rules alone.
 */
export function managedSettings(options: LaunchOptions): LaunchPart | undefined {
  const { mode, controls, ownRules, version = "" } = options;
  if (mode === "inherit") return undefined;
  const { deny = [], ask = [] } = ownRules ?? {};
  const permissions = { deny, ...(keepsAskRules(mode, controls) ? { ask } : {}) };
  const args = ["--managed-settings", JSON.stringify({ allowManagedPermissionRulesOnly: true, permissions })];
  return isAtLeast(version, HEEDS_ALL_PARENTS) ? { args } : { args, env: SDK_PARENT };
}

/** Tested without a parent's name. Older versions ignore managed settings, silently, unless an SDK started them. */
const HEEDS_ALL_PARENTS = "2.1.197";
const SDK_PARENT = { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" };

/** Whether a mode with these controls asks. In the other modes, a rule that asks would break the promise not to. */
export function keepsAskRules(mode: LaunchOptions["mode"], controls?: LaunchOptions["controls"]): boolean {
  const rung = mode === "inherit" ? mode : rungOf(nativeOf(mode, controls));
  return rung === "plan" || rung === "ask";
}
