import { dirname } from "node:path";
import {
  type ControlValues,
  choicesOfMode,
  isModeWithin,
  type Mode,
  matchRules,
  permitControls,
} from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { type Fields, fields, nonBlank, ownValue } from "../fields.ts";
import { CONFIG, codexControls, fastOf, tierOf } from "./controls.ts";

/** Descriptions for the user. */
export const modeDescriptions: Partial<Record<Mode, string>> = {
  plan: "plans in a read-only sandbox and may ask questions",
  ask: "asks before every patch and every command that is not known to only read",
  "auto-edit": "edits inside the folder freely and asks for what its sandbox refuses",
  "full-auto": "never asks and has no sandbox",
  inherit: "as configured in the agent",
};

const sandboxPolicies: Record<string, Fields> = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  "danger-full-access": { type: "dangerFullAccess" },
};

const sandboxNames: Record<string, string> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

/** The approval policy and sandbox of a mode with a session's controls, as far as the mode permits them. */
export function permissionsOf(mode: Mode, controls: ControlValues = {}): { approval?: string; sandbox?: string } {
  const { values } = permitControls(codexControls, mode, controls);
  const { approval, sandbox } = { ...choicesOfMode(codexControls, mode), ...values };
  return {
    ...(approval && approval !== CONFIG ? { approval } : {}),
    ...(sandbox && sandbox !== CONFIG ? { sandbox } : {}),
  };
}

/** Thread parameters for a mode. The reviewer is set so that requests reach the user. */
export function openingPermissions(mode: Mode, controls?: ControlValues): Fields {
  const { approval, sandbox } = permissionsOf(mode, controls);
  return { ...approvalParams(approval), ...(sandbox ? { sandbox } : {}) };
}

function approvalParams(approvalPolicy: string | undefined): Fields {
  if (!approvalPolicy) return {};
  return { approvalPolicy, ...(approvalPolicy === "never" ? {} : { approvalsReviewer: "user" }) };
}

/**
 * Starts Codex without the project's configuration and rules. Codex looks a project up by the session's folder and by the
 * root of its repository, and trusts one without an entry as soon as a thread may write in it.
 */
export function distrustProject({ cwd, project }: Pick<LaunchOptions, "cwd" | "project">): string[] {
  if (project !== "untrusted") return [];
  const folders = [cwd];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) folders.push(dirname(folder));
  const entries = folders.map((folder) => `${JSON.stringify(folder)}={trust_level="untrusted"}`);
  return ["-c", `projects={${entries.join(",")}}`];
}

/** Parses a model name: `gpt-5.5`, or `gpt-5.5@fast` for a service tier. */
export function modelParams(named: string | undefined): { model?: string; serviceTier?: string } {
  const [model, serviceTier] = named?.split("@") ?? [];
  return { ...(model ? { model } : {}), ...(serviceTier ? { serviceTier } : {}) };
}

/**
 * Settings of a thread. `asked` is the requested mode and `controls` are the requested controls; `mode` is what both amount
 * to.
 */
export type Settings = { model?: string; mode?: Mode; effort?: string; asked?: Mode; controls?: ControlValues };

/**
 * Settings as parameters of a turn or a settings update. A collaboration mode overrides model and effort, so it is
 * repeated whenever one of them changes in plan mode. It needs the model's name, known once a thread is open. `undefined`
 * if a permission or the speed would return to Codex's own configuration, which only a new thread reads.
 */
export function settingParams(
  change: Settings,
  current: Settings,
  writableRoots: readonly string[] = [],
): Fields | undefined {
  const asked = change.asked ?? current.asked ?? "inherit";
  const controls = change.controls ?? current.controls ?? {};
  const params: Fields = modelParams(change.model);
  if (change.effort) params.effort = change.effort;
  if (change.asked || change.controls) {
    const before = permissionsOf(current.asked ?? "inherit", current.controls);
    const { approval, sandbox } = permissionsOf(asked, controls);
    if ((before.approval && !approval) || (before.sandbox && !sandbox)) return undefined;
    Object.assign(params, approvalParams(approval), sandbox ? { sandboxPolicy: policyOf(sandbox, writableRoots) } : {});
  }
  if (change.controls) {
    const tier = tierOf(change.controls);
    if (tier === undefined && tierOf(current.controls ?? {}) !== undefined) return undefined;
    if (tier !== undefined) params.serviceTier = tier;
  }
  Object.assign(params, collaborationParams(change, current));
  return params;
}

function collaborationParams(change: Settings, current: Settings): Fields {
  const { model } = modelParams(change.model ?? current.model);
  const plans = change.asked ? change.asked === "plan" : current.mode === "plan";
  if (!model || !(plans || (change.asked && current.mode === "plan"))) return {};
  const settings = { model, reasoning_effort: change.effort ?? current.effort ?? null, developer_instructions: null };
  return { collaborationMode: { mode: plans ? "plan" : "default", settings } };
}

function policyOf(sandbox: string, writableRoots: readonly string[]): Fields {
  const policy = ownValue(sandboxPolicies, sandbox) ?? {};
  return "writableRoots" in policy ? { ...policy, writableRoots } : policy;
}

/** The controls that a thread's settings or our parameters show. Absent or unknown ones are left out. */
export function readControls(settings: Fields): ControlValues {
  const sandbox = ownValue(sandboxNames, nonBlank(fields(settings.sandboxPolicy ?? settings.sandbox).type));
  const approval = nonBlank(settings.approvalPolicy);
  return {
    ...(approval ? { approval } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...("serviceTier" in settings ? { fast: fastOf(settings.serviceTier) } : {}),
  };
}

const POLICIES = ["untrusted", "on-request", "on-failure", "never"];

/**
 * The mode that a thread's settings amount to; `undefined` if they are unknown. Without the collaboration mode (absent when
 * a thread is opened) plan cannot be recognised.
 */
export function readMode(settings: Fields): Mode | undefined {
  const { approval, sandbox } = readControls(settings);
  if (!approval || !sandbox || !POLICIES.includes(approval)) return undefined;
  const mode = matchRules(codexControls, { approval, sandbox });
  if (fields(settings.collaborationMode).mode === "plan" && mode === "plan") return "plan";
  // A read-only sandbox outside of plan mode still asks for more.
  return isModeWithin(mode, "ask") ? "ask" : mode;
}

/** Codex's own terms for a thread's permissions. */
export function nativeMode(settings: Fields): string | undefined {
  const { approval, sandbox } = readControls(settings);
  const network = fields(settings.sandboxPolicy ?? settings.sandbox).networkAccess === true ? "network" : undefined;
  const parts = [approval ?? (settings.approvalPolicy ? "granular" : undefined), sandbox, network];
  return parts.filter(Boolean).join(" + ") || undefined;
}
