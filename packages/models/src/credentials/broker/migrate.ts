import type { Environment } from "../environment.ts";
import { fromEnvironment, KEY_VARIABLES } from "../environment.ts";
import type { ImportedCredential } from "../import.ts";
import type { CredentialStore } from "../store/store.ts";
import { CredentialError } from "../stored-credential.ts";
import type { BrokerAddress } from "./client.ts";

/** The credentials of this machine that a broker can take over: stored ones, and keys from the environment. */
export async function localCredentials(store: CredentialStore, env: Environment): Promise<ImportedCredential[]> {
  const stored: ImportedCredential[] = [];
  for (const { id, provider, disabledCause } of store.rows()) {
    // Logins at MCP servers are bound to the machine on which the user approved them.
    if (disabledCause !== undefined || provider.startsWith("mcp:")) continue;
    const data = await store.open(id);
    if (data) stored.push({ provider, data });
  }
  const keys = Object.keys(KEY_VARIABLES).flatMap((provider) => {
    const found = fromEnvironment(provider, env)?.credential;
    return found?.kind === "key" ? [{ provider, data: { type: "api_key" as const, key: found.key } }] : [];
  });
  return [...stored, ...keys];
}

/** Stores a credential in a broker. Idempotent. Rejects with a `CredentialError` that contains no secret. */
export async function uploadToBroker(
  { url, token }: BrokerAddress,
  { provider, data }: ImportedCredential,
): Promise<void> {
  const response = await fetch(new URL("/v1/credential", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ provider, data }),
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error & { cause?: Error }) => {
    throw new CredentialError(`The broker does not answer: ${error.cause?.message ?? error.message}`);
  });
  await response.body?.cancel();
  if (!response.ok) throw new CredentialError(`The broker refused ${provider} with status ${response.status}.`);
}
