import type { Tool } from "../contract/tool.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { BASE_PROMPT, PLAN_PROMPT } from "./base.ts";

export type PromptParts = {
  /** Replaces the built-in base prompt. */
  custom?: string;
  append?: string;
  tools: readonly Pick<Tool, "name" | "label" | "hidden">[];
  schemes: readonly { scheme: string; description?: string }[];
  rules: readonly string[];
  mode: PermissionMode;
  cwd: string;
  folders: readonly string[];
  /** The day on which the session started. It stays the same, so that provider caches apply. */
  day: string;
  platform: string;
  gitBranch?: string;
};

/**
 * The system prompt in blocks, from the most stable to the most variable: providers cache the longest unchanged prefix.
 * Pure.
 */
export function systemPrompt(parts: PromptParts): string[] {
  const blocks = [parts.custom ?? BASE_PROMPT, toolsBlock(parts), ...parts.rules, parts.append ?? ""];
  blocks.push(placeBlock(parts));
  if (parts.mode === "plan") blocks.push(PLAN_PROMPT);
  return blocks.filter((block) => block.trim() !== "");
}

function toolsBlock({ tools, schemes }: PromptParts): string {
  const offered = tools.filter((tool) => !tool.hidden);
  const lines =
    offered.length > 0 ? [`Tools: ${offered.map((tool) => tool.name).join(", ")}.`] : ["You have no tools."];
  const described = schemes.map((each) => `${each.scheme}://${each.description ? ` (${each.description})` : ""}`);
  if (described.length > 0 && offered.length > 0) lines.push(`Addresses you can read: ${described.join(", ")}.`);
  return lines.join("\n");
}

function placeBlock({ cwd, folders, day, platform, gitBranch }: PromptParts): string {
  const lines = [`Working directory: ${cwd}`];
  if (folders.length > 0) lines.push(`Further folders: ${folders.join(", ")}`);
  if (gitBranch !== undefined) lines.push(`Git branch at the start: ${gitBranch}`);
  lines.push(`System: ${platform}`, `Date at the start: ${day}`);
  return lines.join("\n");
}
