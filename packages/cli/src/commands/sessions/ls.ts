import type { Session } from "@gantry/protocol";
import { firstLine, formatAge, homePath, renderTable, shortId, stripControls } from "@gantry/terminal";
import { allSessions } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { stateWord } from "./state.ts";

export type LsFlags = { state?: Session["state"]; all: boolean; archived: boolean; identities: boolean };

const SHOWN = 20;

/** Sessions: those that wait for input first, then the newest. */
export default async function ls(this: Context, flags: LsFlags, ...args: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const query = {
    state: flags.state,
    q: args.join(" ") || undefined,
    archived: flags.archived ? "1" : "0",
    identities: flags.identities ? "1" : "0",
  } as const;
  const sessions = await allSessions(client, query);
  sessions.sort((a, b) => Number(b.state === "waiting") - Number(a.state === "waiting"));
  const living = flags.all || flags.state ? sessions : sessions.filter((session) => session.state !== "ended");
  const shown = flags.all ? living : living.slice(0, SHOWN);
  if (output.json) return output.data({ sessions: shown });
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
  const rows = shown.map((session) => [
    output.paint.bold(shortId(session.id)),
    stateWord(session, output.paint),
    session.agent,
    firstLine(stripControls(session.title)),
    output.paint.dim(homePath(session.cwd)),
    output.paint.dim(formatAge(session.updatedAt, now)),
  ]);
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  if (living.length > shown.length)
    output.print(
      output.paint.dim(`${living.length - shown.length} more: gantry ls ${flags.archived ? "--archived " : ""}--all`),
    );
}
