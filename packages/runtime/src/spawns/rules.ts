import {
  type CreateSession,
  GantryError,
  ladder,
  type Mode,
  type PatchSession,
  type SessionView,
} from "@gantry/protocol";

/** What a session's agent may say of a session that it begins. Anything else is for people. */
const CREATES: ReadonlySet<string> = new Set([
  "id",
  "agent",
  "model",
  "mode",
  "effort",
  "cwd",
  "lane",
  "title",
  "instructions",
  "prompt",
  "attachments",
  "wake",
] satisfies (keyof CreateSession)[]);
const CHANGES: ReadonlySet<string> = new Set([
  "title",
  "model",
  "mode",
  "effort",
  "archived",
] satisfies (keyof PatchSession)[]);

/** Throws `not_permitted` for fields that are not an agent's to set. */
export function checkFields(what: "create" | "change", body: object): void {
  const known = what === "create" ? CREATES : CHANGES;
  const [strange] = Object.keys(body).filter(
    (key) => !known.has(key) && (body as Record<string, unknown>)[key] !== undefined,
  );
  if (strange)
    throw notPermitted(`An agent may not set \`${strange}\` of a session.`, "Leave it out, or ask a person.");
}

/** The rung that a session is on. */
export function rungOf({ mode, modeApplied }: Pick<SessionView, "mode" | "modeApplied">): Mode {
  return modeApplied ?? mode;
}

/**
 * May a session on the rung `limit` have one below it on the rung `wanted`? What an agent's own configuration allows
 * nobody knows: `inherit` is more than any rung but the last, and from it only the rungs that ask first are lower.
 */
export function isWithin(wanted: Mode, limit: Mode): boolean {
  if (limit === "full-auto" || wanted === limit) return true;
  if (wanted === "inherit") return false;
  if (limit === "inherit") return wanted === "plan" || wanted === "ask";
  return ladder.indexOf(wanted) <= ladder.indexOf(limit);
}

/** Throws `not_permitted` when one of those above is on a lower rung. */
export function checkMode(wanted: Mode, above: readonly SessionView[], what: string): void {
  const lower = above.find((view) => !isWithin(wanted, rungOf(view)));
  if (!lower) return;
  throw notPermitted(
    `${what} would run as ${wanted}, and ${lower.id} itself runs as ${rungOf(lower)}: a session may not have more permission than the one that began it.`,
    `Ask for ${rungOf(lower)} or lower, or ask a person.`,
  );
}

/** What a session gets when its parent does not say: the usual rung, or the parent's own where that is lower. */
export function defaultMode(parent: SessionView): Mode {
  return isWithin("ask", rungOf(parent)) ? "ask" : rungOf(parent);
}

export function notPermitted(message: string, remedy?: string): GantryError {
  return new GantryError("not_permitted", message, remedy ? { remedy } : {});
}
