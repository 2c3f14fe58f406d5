import { resolve } from "node:path";
import type { Conversation } from "@gantry/protocol";
import { formatAgo, renderTable, stripControls } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type ConversationsFlags = { cwd?: string; all: boolean; cloud: boolean };

/** The conversations that an agent stores itself, also those started outside Gantry. `gantry run --resume` resumes one. */
export default async function conversations(this: Context, flags: ConversationsFlags, agent: string): Promise<void> {
  if (flags.all && flags.cwd !== undefined) throw usageError("Give --cwd or --all, not both.");
  const { output } = this;
  const client = await connect(this);
  const cwd = flags.all ? undefined : resolve(flags.cwd ?? ".");
  const { complete, conversations: found } = await client.agents.conversations(agent, cwd);
  const listed = { complete, conversations: flags.cloud ? found.filter(({ where }) => where !== undefined) : found };
  if (output.json) return output.data(listed);
  if (listed.conversations.length === 0)
    return output.print(`No conversations${cwd ? ` in ${cwd}; --all looks everywhere` : ""}.`);
  const { paint, width } = output;
  const now = Date.now();
  const columns = [{ title: "CONVERSATION" }, { title: "UPDATED" }, { title: "TITLE", shrink: true }];
  if (flags.all) columns.push({ title: "FOLDER" });
  const remote = listed.conversations.find(({ where }) => where !== undefined);
  if (remote) columns.push({ title: "WHERE" });
  const rows = listed.conversations.map((one) => [
    ...cells(one, now, flags.all),
    ...(remote ? [stripControls(one.where ?? "here")] : []),
  ]);
  output.print(renderTable(columns, rows, { header: paint.dim, width: width?.() }));
  if (remote?.follow) {
    const command = `gantry run -a ${agent} --resume ${stripControls(remote.id)} ${remote.follow}`;
    output.print(paint.dim(`Follow one: ${command}`));
  }
  if (!listed.complete) output.print(paint.dim("There are more of them."));
}

function cells({ id, title = "", cwd = "", updatedAt }: Conversation, now: number, all: boolean): string[] {
  const row = [stripControls(id), updatedAt ? formatAgo(updatedAt, now) : "", stripControls(title)];
  return all ? [...row, stripControls(cwd)] : row;
}
