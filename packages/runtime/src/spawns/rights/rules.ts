import {
  type CreateSession,
  GantryError,
  isModeWithin,
  ladder,
  type Mode,
  type PatchSession,
  type SessionView,
} from "@gantry/protocol";

/** The fields that an agent may set for a session that it spawns. */
const CREATES: ReadonlySet<string> = new Set([
  "id",
  "agent",
  "model",
  "mode",
  "effort",
  "cwd",
  "lane",
  "folders",
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

/** Throws `not_permitted` for fields that an agent may not set. */
export function checkFields(what: "create" | "change", body: object): void {
  const known = what === "create" ? CREATES : CHANGES;
  const [strange] = Object.keys(body).filter(
    (key) => !known.has(key) && (body as Record<string, unknown>)[key] !== undefined,
  );
  if (strange) throw notPermitted(`An agent may not set \`${strange}\` of a session.`, "Omit it, or ask a person.");
}

/**
 * The mode that limits a session's descendants: the lower one of the requested and the applied mode, so that an agent that
 * raises its own mode gains nothing for the sessions it spawns.
 */
export function rungOf({ mode, modeApplied }: Pick<SessionView, "mode" | "modeApplied">): Mode {
  if (mode === "inherit" || modeApplied === undefined || modeApplied === "inherit") return mode;
  return ladder[Math.min(ladder.indexOf(mode), ladder.indexOf(modeApplied))] ?? mode;
}

/** Throws `not_permitted` if an ancestor is in a lower mode. */
export function checkMode(requested: Mode, above: readonly SessionView[], what: string): void {
  const lower = above.find((view) => !isModeWithin(requested, rungOf(view)));
  if (!lower) return;
  throw notPermitted(
    `${what} would run in mode ${requested}, but ${lower.id} runs in ${rungOf(lower)}. A session may not have more permission than the one that started it.`,
    `Use ${rungOf(lower)} or lower, or ask a person.`,
  );
}

/** The default mode of a spawned session: the usual one, or the parent's if that is lower. */
export function defaultMode(parent: SessionView): Mode {
  return isModeWithin("ask", rungOf(parent)) ? "ask" : rungOf(parent);
}

export function notPermitted(message: string, remedy?: string): GantryError {
  return new GantryError("not_permitted", message, remedy ? { remedy } : {});
}
