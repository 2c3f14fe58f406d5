import { randomBytes } from "node:crypto";
import { ToolError } from "../../contract/tool.ts";
import { type LoginParts, loginProvider, type McpLogins } from "./logins.ts";

export type McpLoginOptions = {
  server: LoginParts["server"];
  logins: McpLogins;
  /** Opens the address at which the user approves the login. */
  openUrl(url: string): void;
  signal: AbortSignal;
};

/**
 * Logs in to a server: the user approves it in a browser, which returns to this machine. Rejects with a `ToolError` whose
 * message is for people. Deletes the stored login first, because the address to return to changes.
 */
export async function loginToMcp({ server, logins, openUrl, signal }: McpLoginOptions): Promise<void> {
  const { auth } = await import("@modelcontextprotocol/client");
  const { listenForCallback } = await import("@gantry/models/oauth");
  const state = randomBytes(16).toString("base64url");
  const callback = await listenForCallback({ port: 0, path: "/callback", state });
  try {
    await logins.write(server.name, { url: server.url });
    const redirect = (url: URL) => openUrl(url.href);
    const provider = loginProvider({ server, logins, redirectUrl: callback.redirectUri, state, redirect });
    const scope = server.oauth?.scope ? { scope: server.oauth.scope } : {};
    if ((await auth(provider, { serverUrl: server.url, ...scope })) === "AUTHORIZED") return;
    const result = await Promise.race([callback.result, resolveOnAbort(signal)]);
    if (result === undefined) throw new ToolError("The login was cancelled.");
    if ("denied" in result) throw new ToolError(`The login was denied: ${result.denied}`);
    const { code, iss } = result;
    await auth(provider, { serverUrl: server.url, authorizationCode: code, ...(iss ? { iss } : {}), ...scope });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`Logging in to ${server.name} failed: ${(error as Error).message}`, { cause: error });
  } finally {
    callback.close();
  }
}

function resolveOnAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
