import { lastActivity, orderSessions, type Session } from "@gantry/protocol";
import { firstLine, formatAge, homePath, renderTable, shortId, stripControls } from "@gantry/terminal";
import { allSessions } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { stateWord } from "./state.ts";

/** The names of the groups as an option has them. */
export const GROUPS = { "needs-you": "needs_you", working: "working", held: "held", done: "done" } as const;

export type LsFlags = {
  state?: Session["state"];
  group?: keyof typeof GROUPS;
  all: boolean;
  archived: boolean;
  identities: boolean;
};

const SHOWN = 20;

/** Sessions by group, in the order of the board. All that are not done are shown, and the latest of the others. */
export default async function ls(this: Context, flags: LsFlags, ...args: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const query = {
    state: flags.state,
    q: args.join(" ") || undefined,
    archived: flags.archived ? "1" : "0",
    identities: flags.identities ? "1" : "0",
  } as const;
  const found = orderSessions(await allSessions(client, query)).filter(
    ({ session, status }) =>
      (flags.all || flags.state || session.state !== "ended") && (!flags.group || status.group === GROUPS[flags.group]),
  );
  const open = found.filter(({ status }) => status.group !== "done").length;
  const shown = flags.all ? found : found.slice(0, Math.max(SHOWN, open));
  if (output.json) return output.data({ sessions: shown.map(({ session }) => session) });
  if (shown.length === 0 && flags.archived) return output.print("No archived sessions.");
  if (shown.length === 0) return output.print('No sessions. Start one: gantry run -a <agent> "what to do"');
  const columns = [
    { title: "ID" },
    { title: "STATE" },
    { title: "AGENT" },
    { title: "TITLE", shrink: true },
    { title: "FOLDER" },
    { title: "AGE" },
  ];
  const now = Date.now();
  const rows = shown.map(({ session, status }) => [
    output.paint.bold(shortId(session.id)),
    stateWord(session, output.paint, status),
    session.agent,
    firstLine(stripControls(session.title)),
    output.paint.dim(homePath(session.cwd)),
    output.paint.dim(formatAge(lastActivity(session).at, now)),
  ]);
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  if (found.length > shown.length)
    output.print(
      output.paint.dim(`${found.length - shown.length} more: gantry ls ${flags.archived ? "--archived " : ""}--all`),
    );
}
