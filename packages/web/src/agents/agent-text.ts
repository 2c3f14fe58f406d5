import type { AgentRow, Capabilities } from "@gantry/protocol";
import type { Tone } from "../ui/display/badge.tsx";
import type { AgentStatus } from "./agent-status.ts";

export const statusLabels: Record<AgentStatus, { tone: Tone; label: string }> = {
  ready: { tone: "good", label: "Ready" },
  login: { tone: "need", label: "Login required" },
  broken: { tone: "bad", label: "Broken" },
  unknown: { tone: "neutral", label: "No response" },
  missing: { tone: "neutral", label: "Not installed" },
};

/** Whether the agent is logged in, and how Gantry knows. */
export function authText({ state, how }: AgentRow["auth"]): string {
  const text = { ok: "Logged in", missing: "Not logged in", unknown: "Login unknown until first use" }[state];
  return how ? `${text} (${how})` : text;
}

/** How many models there are. Names the source if the agent did not list them itself. */
export function modelText({ items, source }: AgentRow["models"]): string {
  if (items.length === 0) return "Models not listed";
  const count = `${items.length} ${items.length === 1 ? "model" : "models"}`;
  return source === "live" ? count : `${count} (Gantry's built-in list)`;
}

/** The installed version, and how it relates to the supported ones. */
export function versionText({ version, versions }: AgentRow): string {
  if (!versions) return version ?? "Unknown";
  const { oldest, newest, fit } = versions;
  const range = oldest === newest ? `${newest} is supported` : `${oldest} to ${newest} are supported`;
  const note = fit === "newer" ? "newer than the newest tested version; " : "";
  return `${version ?? "Unknown"} (${note}${range})`;
}

const resumeTexts: Record<AgentRow["resume"], string> = {
  id: "Resumes conversations by ID",
  load: "Reloads and replays conversations on resume",
  replay: "Conversations are rebuilt from Gantry's log on resume",
  none: "Conversations end with the process",
};

/** What the agent supports, one sentence per capability. */
export function capabilityLines({ steer, resume, fork, edits, kit, capabilities }: AgentRow): string[] {
  return [
    steer === "inline" ? "Accepts messages during a turn" : "Messages are queued until the turn ends",
    resumeTexts[resume],
    fork ? "Conversations can be forked" : "Conversations cannot be forked",
    ...(edits ? ["Tool calls can be edited before you allow them"] : []),
    ...(kit ? [kitText(kit)] : []),
    ...(capabilities ? [supportText(capabilities)] : []),
  ];
}

const capabilityNames: Partial<Record<keyof Capabilities, string>> = {
  images: "images",
  questions: "questions",
  plan: "plan mode",
  compaction: "compaction",
  tasks: "background tasks",
  folders: "further folders",
  commands: "slash commands",
};

function supportText(capabilities: Capabilities): string {
  const entries = Object.entries(capabilityNames) as [keyof Capabilities, string][];
  const names = (supported: boolean) =>
    entries.filter(([key]) => capabilities[key] === supported).map(([, name]) => name);
  const [yes, no] = [names(true), names(false)];
  return [yes.length > 0 && `Supports ${yes.join(", ")}`, no.length > 0 && `no ${no.join(", ")}`]
    .filter(Boolean)
    .join("; ");
}

function kitText({ servers, skills, instructions }: NonNullable<AgentRow["kit"]>): string {
  const mcp = servers ? "Receives Gantry's MCP servers" : "Does not receive Gantry's MCP servers";
  const native = [skills === "own" && "skills", instructions === "own" && "instructions"].filter(Boolean).join(" and ");
  return native ? `${mcp}; loads ${native} natively` : `${mcp}; gets skills and instructions with the first prompt`;
}
