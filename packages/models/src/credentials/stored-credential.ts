import type { ProviderFailure } from "../messages.ts";
import type { Cooldown } from "./rotation.ts";

export type KeyData = { type: "api_key"; key: string };
/** `expires` is the provider's expiry time, in milliseconds since 1970. */
export type LoginData = {
  type: "oauth";
  access: string;
  refresh: string;
  expires: number;
  accountId?: string;
  projectId?: string;
  email?: string;
  /** Private data of the login flow, stored with the tokens. */
  state?: string;
};
export type CredentialData = KeyData | LoginData;

/** One stored credential without its secret. `identity` distinguishes credentials of the same provider. */
export type CredentialRow = Cooldown & {
  id: number;
  provider: string;
  type: CredentialData["type"];
  identity: string;
  /** Disabled after a permanent rejection, until the user stores it again. */
  disabledCause?: string;
  createdAt: string;
  updatedAt: string;
};

/** `permanent`: a retry will not help, a new login will. `message` is shown to the user. */
export type Refreshed = { ok: true; data: LoginData } | { ok: false; permanent: boolean; message: string };

/**
 * The source of stored credentials: this machine's database, or a broker. `rows` and `problems` are synchronous and read
 * memory. No method throws because of file contents or network failures.
 */
export interface CredentialSource {
  rows(): readonly CredentialRow[];
  /** `undefined`: it was removed or cannot be read now; `problems` has the reason. */
  open(row: CredentialRow, signal?: AbortSignal): Promise<CredentialData | undefined>;
  /** Returns a newer token than `known`. Concurrent callers, also in other processes, share one request. */
  refresh(row: CredentialRow, known: LoginData, signal?: AbortSignal): Promise<Refreshed>;
  report(row: CredentialRow, outcome: "ok" | ProviderFailure): void;
  /** Present only where credentials can be stored. Rejects with a `CredentialError` if storing fails. */
  put?(provider: string, data: CredentialData): Promise<CredentialRow>;
  problems(): readonly string[];
  /** Resolves when `rows` is complete or loading has failed. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** The message is shown to the user and contains no secret. */
export class CredentialError extends Error {}
