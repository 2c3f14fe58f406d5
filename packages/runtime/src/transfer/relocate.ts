import { type Draft, draft, GantryError, type Session } from "@gantry/protocol";

/** The sessions as imports use them. */
export type ImportSessions = {
  get(id: string): Session;
  append(id: string, events: readonly Draft[]): Session;
  reread(id: string): Promise<void>;
};

/** Moves an imported session to another folder, if one is given. Throws `turn_running`. */
export async function relocate(sessions: ImportSessions, id: string, cwd: string | undefined): Promise<Session> {
  const session = sessions.get(id);
  // A session that started here keeps its folder.
  if (cwd === undefined || cwd === session.cwd || session.origin !== "import") return session;
  if (session.turn) {
    throw new GantryError("turn_running", `A turn of ${id} is running.`, { remedy: "Wait until it ends." });
  }
  await sessions.reread(id);
  return sessions.append(id, [draft("session.updated", { patch: { cwd }, reason: "moved to another folder" })]);
}
