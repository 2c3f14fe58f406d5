import { formatAgo, shortId, stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

export type SearchFlags = { limit?: number; session?: string };

/** Full text over all sessions. */
export default async function search(this: Context, flags: SearchFlags, ...args: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const session = flags.session === undefined ? undefined : (await resolveSession(client, flags.session)).id;
  const { hits } = await client.call("search", { query: { q: args.join(" "), limit: flags.limit, session } });
  if (output.json) return output.data({ hits });
  if (hits.length === 0) return output.print("Nothing found.");
  const now = Date.now();
  for (const hit of hits) {
    const { paint } = output;
    const snippet = stripControls(hit.snippet).replace(/\s+/g, " ").trim();
    output.print([
      `${paint.bold(shortId(hit.session))} ${stripControls(hit.title)} ${paint.dim(`#${hit.seq} · ${hit.type} · ${formatAgo(hit.at, now)}`)}`,
      `  ${snippet.replace(/\[([^\]]*)\]/g, (_all, match: string) => (paint.enabled ? paint.yellow(match) : `[${match}]`))}`,
    ]);
  }
}
