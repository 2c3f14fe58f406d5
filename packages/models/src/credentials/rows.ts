import type { ProviderFailure } from "../messages.ts";
import type { Rest } from "./rotation.ts";

export type KeyData = { type: "api_key"; key: string };
/** `expires` in milliseconds since 1970, as the provider said it. */
export type LoginData = {
  type: "oauth";
  access: string;
  refresh: string;
  expires: number;
  accountId?: string;
  projectId?: string;
  email?: string;
  /** What whoever logs in keeps beside the tokens. */
  state?: string;
};
export type CredentialData = KeyData | LoginData;

/** One stored credential without its secret. `identity` tells it from others of the same provider. */
export type CredentialRow = Rest & {
  id: number;
  provider: string;
  type: CredentialData["type"];
  identity: string;
  /** Refused for good: not used until it is set anew. */
  disabledCause?: string;
  createdAt: string;
  updatedAt: string;
};

/** `permanent`: another try cannot help; a new login does. `message` is for people. */
export type Refreshed = { ok: true; data: LoginData } | { ok: false; permanent: boolean; message: string };

/**
 * Where stored credentials come from: the database of this machine, or a broker. Only `rows` and `problems` answer at
 * once and from memory. Nothing here throws for what is in a file or comes from the network.
 */
export interface CredentialSource {
  rows(): readonly CredentialRow[];
  /** `undefined`: it is gone or cannot be read now; `problems` says why. */
  open(row: CredentialRow, signal?: AbortSignal): Promise<CredentialData | undefined>;
  /** A newer token than `known`. However many ask, in however many processes: one request is made. */
  refresh(row: CredentialRow, known: LoginData, signal?: AbortSignal): Promise<Refreshed>;
  report(row: CredentialRow, outcome: "ok" | ProviderFailure): void;
  /** Only where credentials are kept. Rejects with a `CredentialError` where that cannot be done. */
  put?(provider: string, data: CredentialData): Promise<CredentialRow>;
  problems(): readonly string[];
  /** Resolves when `rows` is complete, or it is known that it will not be. */
  ready(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** What cannot be done, in words for people and without a secret in them. */
export class CredentialError extends Error {}
