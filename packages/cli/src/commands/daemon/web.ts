import { connect } from "../../daemon/connect.ts";
import { readDiscovery } from "../../daemon/find.ts";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";
import { openBrowser } from "./open-browser.ts";

/**
 * Prints the page's address with a one-time ticket; the ticket is as good as the token and is sent nowhere else. With
 * `open` it also opens the address in the browser; with `revoke` it logs out every browser instead.
 */
export default async function web(this: Context, flags: { revoke: boolean; open: boolean }): Promise<void> {
  const client = await connect(this);
  if (flags.revoke) {
    const { revoked } = await client.revokePages();
    if (this.output.json) return this.output.data({ revoked });
    return this.output.print(`Logged out ${revoked} ${revoked === 1 ? "browser" : "browsers"}.`);
  }
  const { ticket, expiresAt } = await client.call("createTicket", {});
  const daemon = readDiscovery(this.home);
  if (!daemon) throw environmentError("unavailable", "The daemon has just stopped.", "Run `gantry web` again.");
  const url = `${daemon.url}/#ticket=${ticket}`;
  const opened = flags.open ? await openBrowser(url, this.env) : undefined;
  if (this.output.json) return this.output.data({ url, expiresAt, opened });
  this.output.print(url);
  if (opened === false) this.output.note("No browser was found. Open the address yourself, or set BROWSER.");
}
