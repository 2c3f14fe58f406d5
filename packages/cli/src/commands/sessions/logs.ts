import type { Client } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { loadHighlighter } from "@gantry/terminal/transcript";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import { catchInterrupts } from "../../follow/interrupts.ts";
import { reportReconnects } from "../../follow/reconnect.ts";
import { makeView, type View } from "../../follow/view.ts";
import type { Context } from "../../program/context.ts";

export type LogsFlags = { follow: boolean; after?: number; tail?: number; raw: boolean; full: boolean };

const PAGE = 2000;

/** A session's transcript or stored events; with `--follow`, also new ones. */
export default async function logs(this: Context, flags: LogsFlags, name: string): Promise<void> {
  const client = await connect(this);
  const session = await resolveSession(client, name);
  if (this.output.width && this.output.paint.enabled) await loadHighlighter();
  const view = makeView(
    { ...this.output, json: this.output.json || flags.raw },
    { full: flags.full, cwd: session.cwd },
  );
  try {
    const after = flags.after ?? (flags.tail === undefined ? 0 : Math.max(0, session.lastSeq - flags.tail));
    if (flags.follow) await follow(client, session, after, view);
    else await replay(client, session, after, view);
  } finally {
    view.close();
  }
}

async function replay(client: Client, session: Session, from: number, view: View): Promise<void> {
  let after = from;
  for (;;) {
    const page = await client.call("sessionEvents", { params: { id: session.id }, query: { after, limit: PAGE } });
    const events = page.events as Envelope[];
    for (const event of events) view.show({ event });
    const last = events.at(-1);
    if (!last || last.seq >= page.lastSeq) return;
    after = last.seq;
  }
}

/** Follows until Ctrl-C, which leaves the session running. */
async function follow(client: Client, session: Session, after: number, view: View): Promise<void> {
  const interrupts = catchInterrupts(() => interrupts.leave());
  try {
    const onReconnect = reportReconnects((text) => view.print([text]));
    for await (const frame of client.follow(session.id, { after, signal: interrupts.signal, onReconnect })) {
      view.show(frame);
    }
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
  } finally {
    interrupts.dispose();
  }
}
