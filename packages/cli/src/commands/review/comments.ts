import type { Client } from "@gantry/client";
import type { Comment } from "@gantry/protocol";
import { firstLine, renderTable, stripControls } from "@gantry/terminal";
import { pick, resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

const USAGE =
  "gantry comments <session> [add <file:line[-line]> <text> | edit <comment> <text> | resolve|open|rm <comment>]";

/** Lists the comments of a session, or changes one. */
export default async function comments(this: Context, flags: { old: boolean }, ...args: string[]): Promise<void> {
  const { output } = this;
  const [name = "", action, target, ...rest] = args;
  const text = rest.join(" ");
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  if (action === undefined) return list(this, await client.comments.list(id));
  if (target === undefined || (text === "") === (action === "add" || action === "edit"))
    throw usageError("Give an action with its arguments.", USAGE);
  if (action === "add") {
    const place = parsePlace(target);
    const added = await client.comments.add(id, { ...place, side: flags.old ? "old" : "new", text });
    return output.json ? output.data(added) : output.print(`added ${added.comment}`);
  }
  const comment = await findComment(client, id, target);
  if (action === "rm") {
    await client.comments.remove(id, comment);
    return output.json ? output.data({ comment, deleted: true }) : output.print(`removed ${comment}`);
  }
  const changes = { edit: { text }, resolve: { state: "resolved" as const }, open: { state: "open" as const } };
  if (!Object.hasOwn(changes, action)) throw usageError(`There is no action ${action}.`, USAGE);
  const changed = await client.comments.edit(id, comment, changes[action as keyof typeof changes]);
  output.json ? output.data(changed) : output.print(`${comment} is ${changed.state}`);
}

function list({ output }: Context, all: readonly Comment[]): void {
  if (output.json) return output.data({ comments: all });
  if (all.length === 0) return output.print("No comments.");
  const { paint } = output;
  const tones = { open: paint.yellow, sent: paint.cyan, resolved: paint.green };
  const rows = all.map(({ comment, path, line, endLine, state, text }) => [
    paint.bold(comment),
    tones[state](state),
    `${stripControls(path)}:${line}${endLine === undefined ? "" : `-${endLine}`}`,
    firstLine(stripControls(text)),
  ]);
  const columns = ["COMMENT", "STATE", "PLACE", "TEXT"].map((title) => ({
    title,
    ...(title === "TEXT" ? { shrink: true } : {}),
  }));
  output.print(renderTable(columns, rows, { header: paint.dim, width: output.width?.() }));
}

/** `src/a.ts:12` or `src/a.ts:12-20`. The file name may contain colons. */
function parsePlace(text: string): { path: string; line: number; endLine?: number } {
  const [, path = "", line, endLine] = /^(.+):(\d{1,8})(?:-(\d{1,8}))?$/s.exec(text) ?? [];
  if (line === undefined) throw usageError(`${text} names no line.`, USAGE);
  return { path, line: Number(line), ...(endLine === undefined ? {} : { endLine: Number(endLine) }) };
}

async function findComment(client: Client, session: string, name: string): Promise<string> {
  const all = (await client.comments.list(session)).map(({ comment, text }) => ({ id: comment, title: text }));
  return pick("comment", name, all, "gantry comments").id;
}
