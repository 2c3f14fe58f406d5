import { join } from "node:path";
import type { Lane, LaneSuggestion, SuggestionReason } from "@gantry/protocol";
import { statOf } from "@gantry/trust";
import type { SessionPlace } from "./session-places.ts";

const DAY_MS = 86_400_000;
const LARGE = 1024 ** 3;

export type SuggestionInput = { lane: Lane; sessions: readonly SessionPlace[]; idleDays: number; now: number };

/** Reasons to remove a lane. None for the primary lane and for a lane with activity. */
export function suggestionFor({ lane, sessions, idleDays, now }: SuggestionInput): LaneSuggestion | undefined {
  if (lane.kind === "primary" || lane.state === "creating" || lane.state === "removing") return undefined;
  if (sessions.some(({ busy }) => busy) || lane.setup.state === "running") return undefined;
  const reasons: SuggestionReason[] = [];
  const add = (kind: SuggestionReason["kind"], text: string) => reasons.push({ kind, text });
  const gone = lane.state === "failed";
  if (gone) add("gone", lane.missing[0] ?? "It is not usable.");
  if (isMerged(lane))
    add("merged", `All of its commits are in ${lane.base?.ref ?? "its base"}, and it has no changes.`);
  if (lane.state === "archived") add("archived", "It is archived.");
  const days = Math.floor((now - lastTouched(lane, sessions)) / DAY_MS);
  if (!gone && days >= idleDays) add("idle", `Nothing has happened in it for ${days} days.`);
  if ((lane.disk ?? 0) >= LARGE) add("disk", `It uses ${((lane.disk ?? 0) / LARGE).toFixed(1)} GB.`);
  if (reasons.length === 0) return undefined;
  return { lane, reasons, safe: !lane.dirty && lane.unpushed === 0 && lane.locked === undefined };
}

/** A lane without a new commit is new, not merged. */
function isMerged({ head, base, ahead, dirty }: Lane): boolean {
  return head !== undefined && base !== undefined && head !== base.commit && ahead === 0 && !dirty;
}

function lastTouched({ path, createdAt }: Lane, sessions: readonly SessionPlace[]): number {
  const times = sessions.map(({ updatedAt }) => Date.parse(updatedAt));
  const files = [path, join(path, ".git")].map((one) => statOf(one)?.mtimeMs ?? 0);
  return Math.max(createdAt ? Date.parse(createdAt) : 0, ...times, ...files);
}
