import { dirname } from "node:path";
import type { Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../contract.ts";
import { type Fields, fields, nonBlank, ownValue } from "../fields.ts";

/** How Codex implements a mode. */
type Rung = {
  approvalPolicy: "untrusted" | "on-request" | "never";
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  collaboration: "plan" | "default";
};

/**
 * `untrusted` asks for every patch and every command that is not known to be read-only. `on-request` asks only for what
 * the sandbox would block, so edits inside the folder pass.
 */
export const rungs: Record<Exclude<Mode, "inherit">, Rung> = {
  plan: { approvalPolicy: "on-request", sandbox: "read-only", collaboration: "plan" },
  ask: { approvalPolicy: "untrusted", sandbox: "workspace-write", collaboration: "default" },
  "auto-edit": { approvalPolicy: "on-request", sandbox: "workspace-write", collaboration: "default" },
  "full-auto": { approvalPolicy: "never", sandbox: "danger-full-access", collaboration: "default" },
};

/** Descriptions for the user. */
export const modeDescriptions: Partial<Record<Mode, string>> = {
  plan: "plans in a read-only sandbox and may ask questions",
  ask: "asks before every patch and every command that is not known to only read",
  "auto-edit": "edits inside the folder freely and asks for what its sandbox refuses",
  "full-auto": "never asks and has no sandbox",
  inherit: "as configured in the agent",
};

const sandboxPolicies: Record<Rung["sandbox"], Fields> = {
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

const sandboxNames: Record<string, Rung["sandbox"]> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

/** Thread parameters for a mode. The reviewer is set so that requests reach the user. */
export function openingPermissions(mode: Mode): Fields {
  if (mode === "inherit") return {};
  const { approvalPolicy, sandbox } = rungs[mode];
  return { approvalPolicy, sandbox, ...(approvalPolicy === "never" ? {} : { approvalsReviewer: "user" }) };
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

export type Settings = { model?: string; mode?: Mode; effort?: string };

/**
 * Settings as parameters of a turn or a settings update. A collaboration mode overrides model and effort, so it is
 * repeated whenever one of them changes in plan mode. It needs the model's name, known once a thread is open.
 */
export function settingParams(change: Settings, current: Settings, writableRoots: readonly string[] = []): Fields {
  const params: Fields = modelParams(change.model);
  if (change.effort) params.effort = change.effort;
  const rung = change.mode && change.mode !== "inherit" ? rungs[change.mode] : undefined;
  if (rung) {
    params.approvalPolicy = rung.approvalPolicy;
    const policy = sandboxPolicies[rung.sandbox];
    params.sandboxPolicy = "writableRoots" in policy ? { ...policy, writableRoots } : policy;
    if (rung.approvalPolicy !== "never") params.approvalsReviewer = "user";
  }
  const { model } = modelParams(change.model ?? current.model);
  const collaboration = rung?.collaboration ?? (current.mode === "plan" ? "plan" : undefined);
  const matters = collaboration === "plan" || (rung && current.mode === "plan");
  if (model && collaboration && matters) {
    const settings = {
      model,
      reasoning_effort: change.effort ?? current.effort ?? null,
      developer_instructions: null,
    };
    params.collaborationMode = { mode: collaboration, settings };
  }
  return params;
}

/**
 * The mode for a thread's settings; `undefined` if none matches. Without the collaboration mode (absent when a thread
 * is opened) plan cannot be recognised.
 */
export function readMode(settings: Fields): Mode | undefined {
  const sandbox = ownValue(sandboxNames, nonBlank(fields(settings.sandboxPolicy ?? settings.sandbox).type));
  const collaboration = nonBlank(fields(settings.collaborationMode).mode) ?? "default";
  const found = Object.entries(rungs).find(
    ([, rung]) =>
      rung.approvalPolicy === settings.approvalPolicy &&
      rung.sandbox === sandbox &&
      rung.collaboration === collaboration,
  );
  return found?.[0] as Mode | undefined;
}
