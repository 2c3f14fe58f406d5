import { client } from "./client.ts";
import { storePageCredential } from "./credential.ts";

/**
 * Exchanges the ticket in the address for a credential, and removes it from the address. A ticket that was used before
 * (a reload, a restored tab) is ignored: the credential that it gave may still be valid.
 */
export async function redeemTicket(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (!ticket) return;
  history.replaceState(null, "", location.pathname + location.search);
  await client.redeem(ticket).then(storePageCredential, () => undefined);
}
