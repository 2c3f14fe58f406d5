import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Records, Store } from "../../log/port.ts";

/** Stores only hashes. An agent has one token at a time; those of terminals end with the daemon. */
type StoredTokens = { session: string; agent?: string; terminals: string[] };

const FORM = /^gss_[A-Za-z0-9_-]{43}\.(ses_\S{1,200})$/;
const MOST_TERMINALS = 16;

/**
 * Tokens with which processes of a session call the daemon. Each is valid for its session until the agent is restarted,
 * or the session is archived, has ended or is deleted.
 */
export class SessionTokens {
  readonly #store: Store;
  readonly #records: Records<StoredTokens>;

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.records("session-token");
  }

  /** Issues a token. Revokes the previous one of the session's agent. */
  issue(session: string, holder: "agent" | "terminal"): string {
    const token = `gss_${randomBytes(32).toString("base64url")}.${session}`;
    const before = this.#records.get(session) ?? { session, terminals: [] };
    const terminals = [...before.terminals, hashOf(token)].slice(-MOST_TERMINALS);
    this.#records.put(session, holder === "agent" ? { ...before, agent: hashOf(token) } : { ...before, terminals });
    return token;
  }

  /** The session of a valid token. */
  sessionOf(token: string): string | undefined {
    const [, session = ""] = FORM.exec(token) ?? [];
    const stored = session ? this.#records.get(session) : undefined;
    if (!stored) return undefined;
    const hash = hashOf(token);
    const known = [stored.agent, ...stored.terminals].some((one) => one !== undefined && equal(one, hash));
    const view = known ? this.#store.sessions.get(session)?.view : undefined;
    return view && !view.archived && !view.ended ? session : undefined;
  }

  revoke(session: string): void {
    this.#records.delete(session);
  }

  /** At boot: revokes tokens of terminals and deletes those of deleted sessions. */
  tidy(): void {
    for (const stored of this.#records.list()) {
      if (!this.#store.sessions.get(stored.session)) this.#records.delete(stored.session);
      else if (stored.terminals.length > 0) this.#records.put(stored.session, { ...stored, terminals: [] });
    }
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
