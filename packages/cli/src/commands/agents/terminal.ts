import { resolve } from "node:path";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { relayTerminal } from "./relay-terminal.ts";

export type TerminalFlags = { session?: string; cwd?: string };

/** Opens a terminal of the daemon's machine here, and exits with the status of what ran in it. */
export default async function terminal(this: Context, flags: TerminalFlags, ...command: string[]): Promise<void> {
  const { streams, json } = this.output;
  const client = await connect(this);
  const session = flags.session === undefined ? undefined : (await resolveSession(client, flags.session)).id;
  const cwd = flags.cwd !== undefined || session === undefined ? resolve(flags.cwd ?? ".") : undefined;
  const { columns, rows } = streams.output as Partial<NodeJS.WriteStream>;
  const opened = await client.terminals.open({
    session,
    cwd,
    command: command.length > 0 ? command : undefined,
    cols: columns || 80,
    rows: rows || 24,
  });
  if (json) return this.output.data(opened);
  this.process.exitCode = await relayTerminal(client, opened, streams);
}
