import { resolve } from "node:path";
import type { SearchKind } from "@gantry/protocol";
import { formatAgo, shortId, stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { momentOf } from "../../arguments/times.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

export type SearchFlags = {
  limit?: number;
  session?: string;
  agent?: string;
  folder?: string;
  kind?: SearchKind;
  since?: string;
  until?: string;
  best: boolean;
};

/** Full text over all sessions, the newest match first. */
export default async function search(this: Context, flags: SearchFlags, ...args: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const session = flags.session === undefined ? undefined : (await resolveSession(client, flags.session)).id;
  const { limit, agent, kind } = flags;
  const query = {
    q: args.join(" "),
    limit,
    session,
    agent,
    kind,
    folder: flags.folder === undefined ? undefined : resolve(flags.folder),
    since: momentOf(flags.since),
    until: momentOf(flags.until),
    order: flags.best ? ("relevance" as const) : undefined,
  };
  const { hits } = await client.call("search", { query });
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
