import type { AgentRow } from "@gantry/protocol";
import type { Tone } from "../ui/display/badge.tsx";
import type { Standing } from "./groups.ts";

export const standings: Record<Standing, { tone: Tone; words: string }> = {
  ready: { tone: "good", words: "Ready" },
  login: { tone: "need", words: "Needs a login" },
  broken: { tone: "bad", words: "Broken" },
  unknown: { tone: "neutral", words: "Did not answer" },
  missing: { tone: "neutral", words: "Not installed" },
};

/** Whether it is logged in, and how that is known. */
export function authWords({ state, how }: AgentRow["auth"]): string {
  const words = { ok: "Logged in", missing: "Not logged in", unknown: "Nobody can tell before the first prompt" }[
    state
  ];
  return how ? `${words} (${how})` : words;
}

/** How many models there are, and who says so. */
export function modelWords({ items, source }: AgentRow["models"]): string {
  if (items.length === 0) return "It does not list its models";
  const count = `${items.length} ${items.length === 1 ? "model" : "models"}`;
  return source === "live" ? `${count}, as the agent says itself` : `${count}, from a list that comes with Gantry`;
}

const resumes: Record<AgentRow["resume"], string> = {
  id: "Its conversations are taken up again by their id",
  load: "Its conversations are loaded and replayed by the agent",
  replay: "Its conversations are rebuilt from Gantry's log",
  none: "Its conversations end with their process",
};

/** What it can do and what it cannot, one sentence each. */
export function capabilityWords({ steer, resume, fork, edits, kit }: AgentRow): string[] {
  return [
    steer === "inline" ? "Takes messages into a running turn" : "Messages wait until a turn has ended",
    resumes[resume],
    fork ? "A conversation can be forked" : "A conversation cannot be forked",
    ...(edits ? ["What it asks to run can be changed before it is allowed"] : []),
    ...(kit ? [kitWords(kit)] : []),
  ];
}

function kitWords({ servers, skills, instructions }: NonNullable<AgentRow["kit"]>): string {
  const told = [!servers && "MCP servers are not handed over", servers && "Gets Gantry's MCP servers"].find(Boolean);
  const own = [skills === "own" && "skills", instructions === "own" && "instructions"].filter(Boolean).join(" and ");
  return own ? `${told}; ${own} by its own means` : `${told}; skills and instructions with the first prompt`;
}
