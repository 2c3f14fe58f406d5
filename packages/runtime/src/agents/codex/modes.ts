import type { Mode } from "@gantry/protocol";
import { type Fields, fields, nonBlank, own } from "../fields.ts";

/** What a rung of the ladder is to this agent. */
type Rung = {
  approvalPolicy: "untrusted" | "on-request" | "never";
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  collaboration: "plan" | "default";
};

/**
 * `untrusted` asks for every patch and for every command that is not known to only read. `on-request` asks only for
 * what the sandbox would refuse, so that edits inside the folder go through.
 */
export const rungs: Record<Exclude<Mode, "inherit">, Rung> = {
  plan: { approvalPolicy: "on-request", sandbox: "read-only", collaboration: "plan" },
  ask: { approvalPolicy: "untrusted", sandbox: "workspace-write", collaboration: "default" },
  "auto-edit": { approvalPolicy: "on-request", sandbox: "workspace-write", collaboration: "default" },
  "full-auto": { approvalPolicy: "never", sandbox: "danger-full-access", collaboration: "default" },
};

/** The rungs in words for people. */
export const modeWords: Partial<Record<Mode, string>> = {
  plan: "plans in a read-only sandbox and may ask questions",
  ask: "asks before every patch and every command that is not known to only read",
  "auto-edit": "edits inside the folder freely and asks for what its sandbox refuses",
  "full-auto": "never asks and has no sandbox",
  inherit: "as its own configuration says",
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

/** Parameters for opening a thread on a rung. The reviewer is named so that requests come to the user. */
export function openingPermissions(mode: Mode): Fields {
  if (mode === "inherit") return {};
  const { approvalPolicy, sandbox } = rungs[mode];
  return { approvalPolicy, sandbox, ...(approvalPolicy === "never" ? {} : { approvalsReviewer: "user" }) };
}

/** A model as a user names it: `gpt-5.5`, or `gpt-5.5@fast` for one of the service tiers that it is offered in. */
export function modelParams(named: string | undefined): { model?: string; serviceTier?: string } {
  const [model, serviceTier] = named?.split("@") ?? [];
  return { ...(model ? { model } : {}), ...(serviceTier ? { serviceTier } : {}) };
}

export type Settings = { model?: string; mode?: Mode; effort?: string };

/**
 * Settings as parameters of a turn or of a settings update. A collaboration mode outranks model and effort, so it is
 * said again whenever one of them changes while planning. It needs the model's name, known once a thread is open.
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
 * The rung that a thread's settings amount to; `undefined` when they fit none. Without a word on collaboration (the
 * answer that opens a thread has none) plan cannot be told.
 */
export function readMode(settings: Fields): Mode | undefined {
  const sandbox = own(sandboxNames, nonBlank(fields(settings.sandboxPolicy ?? settings.sandbox).type));
  const collaboration = nonBlank(fields(settings.collaborationMode).mode) ?? "default";
  const found = Object.entries(rungs).find(
    ([, rung]) =>
      rung.approvalPolicy === settings.approvalPolicy &&
      rung.sandbox === sandbox &&
      rung.collaboration === collaboration,
  );
  return found?.[0] as Mode | undefined;
}
