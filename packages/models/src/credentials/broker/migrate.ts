import type { Environment } from "../agent-folder.ts";
import { fromEnvironment, KEY_VARIABLES } from "../environment.ts";
import type { Imported } from "../import.ts";
import { CredentialError } from "../rows.ts";
import type { CredentialStore } from "../store/store.ts";
import type { BrokerAddress } from "./client.ts";

/** What this machine has that a broker could have: what is stored, and keys of the environment. */
export async function localCredentials(store: CredentialStore, env: Environment): Promise<Imported[]> {
  const stored: Imported[] = [];
  for (const { id, provider, disabledCause } of store.rows()) {
    // A login at an MCP server belongs to the machine on which somebody allowed it.
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

/** Gives a credential to a broker. The same one twice is one. Rejects with a `CredentialError` that holds no secret. */
export async function giveToBroker({ url, token }: BrokerAddress, { provider, data }: Imported): Promise<void> {
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
