import { client } from "./client.ts";

/** Spends the ticket that the address carries, and takes it out of the address. A spent one is no trouble with a cookie. */
export async function redeemTicket(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (!ticket) return;
  history.replaceState(null, "", location.pathname + location.search);
  await client.redeem(ticket).catch(() => undefined);
}
