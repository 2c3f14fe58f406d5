import { createHash, randomUUID } from "node:crypto";
import type { Cooldown } from "../rotation.ts";
import { type CredentialData, CredentialError, type CredentialRow } from "../stored-credential.ts";
import { makeConnection } from "./connection.ts";
import type { Vault } from "./vault.ts";

/**
 * The credentials in `agent.db`. Reading never creates the file and never throws; errors appear in `problems`. Writing
 * creates the file (0600) and the folder (0700), and throws a `CredentialError` if that fails.
 */
export interface CredentialStore {
  readonly file: string;
  rows(): readonly CredentialRow[];
  open(id: number): Promise<CredentialData | undefined>;
  /** Replaces the credential with the same provider, type and identity, and enables it again. */
  put(provider: string, data: CredentialData, identity?: string): Promise<CredentialRow>;
  /** Stores a login's new tokens. Does nothing if the login was removed. */
  update(id: number, data: CredentialData): Promise<void>;
  mark(id: number, rest: Cooldown): void;
  disable(id: number, cause: string): void;
  remove(ids: readonly number[]): number;
  /** Takes a lease across processes and returns its release. `undefined`: it is held elsewhere. Expires after `ms`. */
  lease(name: string, ms: number): (() => void) | undefined;
  problems(): readonly string[];
  protection(): Promise<string | undefined>;
  close(): void;
}

const PUT = `INSERT INTO auth_credentials (provider, type, identity, data, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (provider, type, identity) DO UPDATE SET data = excluded.data,
disabled_cause = NULL, resting_until = 0, strikes = 0, updated_at = excluded.updated_at`;
const LEASE = `INSERT INTO auth_leases (name, holder, until) VALUES (?, ?, ?) ON CONFLICT (name)
DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE auth_leases.until <= ?`;

export function openStore(folder: string, vault: Vault, now: () => number = Date.now): CredentialStore {
  const { file, rows, data: sealed, write, problem, close } = makeConnection(folder);
  const unreadable = new Map<number, string>();
  const stamp = () => new Date(now()).toISOString();
  const rowOf = (id: number) => rows().find((one) => one.id === id);
  return {
    file,
    rows,
    async open(id) {
      const row = rowOf(id);
      const text = row && sealed(id);
      if (!row || text === undefined) return undefined;
      try {
        const data = await vault.open(text, placeOf(row));
        unreadable.delete(id);
        return data;
      } catch (error) {
        unreadable.set(id, `${row.provider} (${row.identity}) cannot be used: ${(error as Error).message}`);
        return undefined;
      }
    },
    async put(provider, data, identity = identityOf(data)) {
      const place = placeOf({ provider, type: data.type, identity });
      write(PUT, provider, data.type, identity, await vault.seal(data, place), stamp(), stamp());
      const row = rows().find((one) => placeOf(one) === place);
      if (!row) throw new CredentialError(`${file} did not store the credential.`);
      return row;
    },
    async update(id, data) {
      const row = rowOf(id);
      if (!row) return;
      const text = await vault.seal(data, placeOf(row));
      write("UPDATE auth_credentials SET data = ?, updated_at = ? WHERE id = ?", text, stamp(), id);
    },
    mark(id, { restingUntil, strikes }) {
      const until = Math.round(restingUntil);
      write("UPDATE auth_credentials SET resting_until = ?, strikes = ? WHERE id = ?", until, strikes, id);
    },
    disable(id, cause) {
      write("UPDATE auth_credentials SET disabled_cause = ?, updated_at = ? WHERE id = ?", cause, stamp(), id);
    },
    remove: (ids) => ids.reduce((sum, id) => sum + write("DELETE FROM auth_credentials WHERE id = ?", id), 0),
    lease(name, ms) {
      const holder = randomUUID();
      if (write(LEASE, name, holder, now() + ms, now()) === 0) return undefined;
      return () => void write("DELETE FROM auth_leases WHERE name = ? AND holder = ?", name, holder);
    },
    problems: () => [problem(), ...unreadable.values()].filter((one) => one !== undefined),
    protection: () => vault.protection(),
    close,
  };
}

/** Identifies a credential without a secret: the account of a login, the fingerprint of a key. */
function identityOf(data: CredentialData): string {
  if (data.type === "oauth") return data.email ?? data.accountId ?? "login";
  return `key ${createHash("sha256").update(data.key).digest("hex").slice(0, 8)}`;
}

function placeOf({ provider, type, identity }: Pick<CredentialRow, "provider" | "type" | "identity">): string {
  return JSON.stringify([provider, type, identity]);
}
