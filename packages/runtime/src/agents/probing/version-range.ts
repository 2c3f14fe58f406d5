import type { Problem, VersionRange } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import { isAtLeast } from "./fallback.ts";

/** The agent's range, and how the installed version relates to it. */
export function versionRange({ versions }: Agent, version?: string): VersionRange | undefined {
  if (!versions) return undefined;
  const fit = version && /\d/.test(version) ? fitOf(versions, version) : undefined;
  return { ...versions, ...(fit ? { fit } : {}) };
}

/** The problem of a version that is too old. A newer one than the newest tested is no problem. */
export function versionProblem(agent: Agent, version?: string): Problem | undefined {
  const range = versionRange(agent, version);
  if (range?.fit !== "older") return undefined;
  return {
    code: "version_unsupported",
    message: `${agent.name} ${version} is older than ${range.oldest}, the oldest supported version. It can be used, but some features may fail.`,
    fix: `Update it: \`${agent.install.command}\`. Versions ${range.oldest} to ${range.newest} are tested.`,
  };
}

function fitOf({ oldest, newest }: { oldest: string; newest: string }, version: string): VersionRange["fit"] {
  if (!isAtLeast(version, oldest)) return "older";
  return isAtLeast(newest, version) ? "supported" : "newer";
}
