import { draft, GantryError, type Session } from "@gantry/protocol";
import type { SessionPart } from "./imports.ts";

/** The session goes on in another folder, if one was named. Throws `turn_running`. */
export async function relocated(sessions: SessionPart, id: string, cwd: string | undefined): Promise<Session> {
  const session = sessions.get(id);
  // One that was begun here has its folder from whoever began it.
  if (cwd === undefined || cwd === session.cwd || session.origin !== "import") return session;
  if (session.turn) {
    throw new GantryError("turn_running", `A turn of ${id} is running.`, { remedy: "Wait for its end." });
  }
  await sessions.reread(id);
  return sessions.append(id, [draft("session.updated", { patch: { cwd }, reason: "another folder was named" })]);
}
