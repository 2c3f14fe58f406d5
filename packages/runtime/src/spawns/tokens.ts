import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Records, Store } from "../log/port.ts";

/** Of a session's tokens only hashes are kept. An agent has one at a time; those of terminals end with the daemon. */
type Kept = { session: string; agent?: string; terminals: string[] };

const FORM = /^gss_[A-Za-z0-9_-]{43}\.(ses_\S{1,200})$/;
const MOST_TERMINALS = 16;

/**
 * Tokens with which what runs in a session calls the daemon. Each is good for its session alone, until the agent is
 * started anew, or the session is archived, has ended or is removed.
 */
export class SessionTokens {
  readonly #store: Store;
  readonly #records: Records<Kept>;

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.records("session-token");
  }

  /** A fresh one. That of the session's agent before is void from now on. */
  issue(session: string, holder: "agent" | "terminal"): string {
    const token = `gss_${randomBytes(32).toString("base64url")}.${session}`;
    const before = this.#records.get(session) ?? { session, terminals: [] };
    const terminals = [...before.terminals, hashOf(token)].slice(-MOST_TERMINALS);
    this.#records.put(session, holder === "agent" ? { ...before, agent: hashOf(token) } : { ...before, terminals });
    return token;
  }

  /** The session whose token this is, if it is one that holds. */
  sessionOf(token: string): string | undefined {
    const [, session = ""] = FORM.exec(token) ?? [];
    const kept = session ? this.#records.get(session) : undefined;
    if (!kept) return undefined;
    const hash = hashOf(token);
    const known = [kept.agent, ...kept.terminals].some((one) => one !== undefined && equal(one, hash));
    const view = known ? this.#store.sessions.get(session)?.view : undefined;
    return view && !view.archived && !view.ended ? session : undefined;
  }

  revoke(session: string): void {
    this.#records.delete(session);
  }

  /** At the start of a daemon no terminal of an earlier one is left, and no session that was removed. */
  tidy(): void {
    for (const kept of this.#records.list()) {
      if (!this.#store.sessions.get(kept.session)) this.#records.delete(kept.session);
      else if (kept.terminals.length > 0) this.#records.put(kept.session, { ...kept, terminals: [] });
    }
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
