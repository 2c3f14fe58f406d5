import type { LoginData } from "../stored-credential.ts";

/** How the user logs in: a browser on this machine, a code entered on another device, or a code that the user pastes. */
export type LoginMethod = "browser" | "device" | "paste";

/** What a login needs from the user interface that runs it. */
export type LoginUi = {
  /** Shows the URL and opens it in a browser where possible. */
  openUrl(url: string, instructions: string): void | Promise<void>;
  /** Asks the user for a code. Resolves with `undefined` when `signal` is aborted or the user cannot be asked. */
  askCode(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  progress(text: string): void;
};

export type LoginResult =
  | { ok: true; data: LoginData }
  | { ok: false; reason: "denied" | "expired" | "state" | "aborted" | "refused" | "port"; message: string };

/** The OAuth login of one provider, as data. */
export type OAuthProvider = {
  provider: string;
  name: string;
  clientId: string;
  clientSecret?: string;
  scopes: readonly string[];
  tokenUrl: string;
  /** Encoding of token requests. */
  body: "json" | "form";
  authorize?: {
    url: string;
    /** The redirect goes to this port and path on `localhost`. Port 0: any free port. */
    port: number;
    path: string;
    extra?: Readonly<Record<string, string>>;
    /** The token request repeats the `state`. */
    stateWithCode?: boolean;
  };
  /** Device authorization endpoint (RFC 8628). */
  device?: { url: string };
  /** The login yields a long-lived token, which is exchanged here for short-lived ones. Replaces the refresh grant. */
  trade?: { url: string; headers: Readonly<Record<string, string>> };
  headers?: Readonly<Record<string, string>>;
  /** Reads the account from the token response and the claims of its tokens. */
  describe?(body: Readonly<Record<string, unknown>>): Pick<LoginData, "accountId" | "email" | "projectId">;
};

export function loginMethods(provider: OAuthProvider): LoginMethod[] {
  return [
    ...(provider.authorize ? (["browser", "paste"] as const) : []),
    ...(provider.device ? (["device"] as const) : []),
  ];
}
