import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { discovered } from "../daemon/find.ts";
import { environmentError } from "../errors.ts";

/** Prints the page's address with a ticket that opens it once. The ticket is as good as the token, so it goes nowhere else. */
export default async function web(this: Context): Promise<void> {
  const client = await connect(this);
  const { ticket, expiresAt } = await client.call("createTicket", {});
  const daemon = discovered(this.home);
  if (!daemon) throw environmentError("unavailable", "The daemon has just stopped.", "Run `gantry web` again.");
  const url = `${daemon.url}/#ticket=${ticket}`;
  if (this.output.json) return this.output.data({ url, expiresAt });
  this.output.print(url);
}
