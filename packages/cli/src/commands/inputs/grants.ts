import { firstLine, formatAgo, renderTable, shortId, stripControls } from "@gantry/terminal";
import { allSessions, pick } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

type NoFlags = Record<never, never>;

/** Standing permissions of all sessions. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { grants } = await client.call("listGrants", {});
  const leads = (await allSessions(client, { identities: "all" })).filter(({ lead }) => lead);
  if (output.json) return output.data({ grants, leads: leads.map(({ id }) => id) });
  for (const { id, title } of leads) {
    output.print(`${output.paint.bold(shortId(id))} is a lead: ${firstLine(stripControls(title))}`);
    output.print(output.paint.dim(`  gantry set ${shortId(id)} --lead off`));
  }
  if (grants.length === 0) return leads.length > 0 ? undefined : output.print("No standing permissions.");
  const rows = grants.map((grant) => [
    output.paint.bold(shortId(grant.id)),
    shortId(grant.session),
    grant.scope.label,
    output.paint.dim(formatAgo(grant.at, Date.now())),
  ]);
  const columns = [{ title: "ID" }, { title: "SESSION" }, { title: "ALLOWS", shrink: true }, { title: "SINCE" }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  output.print(output.paint.dim("gantry grants revoke <id>"));
}

/** Revokes a grant. */
export async function revoke(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const { grants } = await client.call("listGrants", {});
  const named = grants.map((grant) => ({ ...grant, title: grant.scope.label }));
  const grant = pick("standing permission", name, named, "gantry grants");
  const done = await client.call("revokeGrant", { params: { id: grant.id } });
  if (this.output.json) return this.output.data(done);
  this.output.print(`revoked: ${grant.scope.label}`);
}
