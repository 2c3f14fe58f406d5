import type { Caller } from "./credentials.ts";

/** The actor of a call in the log: `session:<id>` for the token of a session, otherwise `undefined`, which is a person. */
export function actorOf(caller: Caller | undefined): string | undefined {
  return caller?.kind === "session" ? `session:${caller.session}` : undefined;
}
