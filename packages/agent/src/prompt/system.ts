import type { Tool } from "../contract/tool.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { BASE_PROMPT, PLAN_PROMPT } from "./base.ts";

export type PromptParts = {
  /** Instead of the text of our own. */
  custom?: string;
  append?: string;
  tools: readonly Pick<Tool, "name" | "label" | "hidden">[];
  schemes: readonly { scheme: string; description?: string }[];
  rules: readonly string[];
  mode: PermissionMode;
  cwd: string;
  folders: readonly string[];
  /** The day on which the session began: it does not change with the clock, so that caches hold. */
  day: string;
  platform: string;
  gitBranch?: string;
};

/**
 * The system text in blocks, from what never changes to what changes most: providers cache the longest beginning that
 * stayed the same. Pure.
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
