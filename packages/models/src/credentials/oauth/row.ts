import type { LoginData } from "../rows.ts";

/** How a person logs in: a browser on this machine, a code typed elsewhere, or a code that a page shows and they paste. */
export type Way = "browser" | "device" | "paste";

/** One login of one provider, as data. */
export type OAuthRow = {
  provider: string;
  name: string;
  clientId: string;
  clientSecret?: string;
  scopes: readonly string[];
  tokenUrl: string;
  /** How the token endpoint wants to be told. */
  body: "json" | "form";
  authorize?: {
    url: string;
    /** Where the provider sends the browser: `localhost` and this path. Port 0: any that is free. */
    port: number;
    path: string;
    extra?: Readonly<Record<string, string>>;
    /** Sent with the code, too. */
    stateWithCode?: boolean;
  };
  /** RFC 8628. */
  device?: { url: string };
  /** What was logged in with is traded for a token that lives shortly; there is no other refresh. */
  trade?: { url: string; headers: Readonly<Record<string, string>> };
  headers?: Readonly<Record<string, string>>;
  /** Who it is, from the answer and the claims of its tokens. */
  describe?(answer: Readonly<Record<string, unknown>>): Pick<LoginData, "accountId" | "email" | "projectId">;
};

export function waysOf(row: OAuthRow): Way[] {
  return [...(row.authorize ? (["browser", "paste"] as const) : []), ...(row.device ? (["device"] as const) : [])];
}
