import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { Client } from "@gantry/client";
import type { PastConversation, Session } from "@gantry/protocol";
import { formatAgo, formatBytes, pluralize, renderTable, shortId, stripControls } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import type { Output } from "../../program/output.ts";
import { countBytes, Progress } from "../../program/progress.ts";

export type ImportFlags = { agent?: string; list: boolean; all: boolean; cwd?: string; again: boolean };

const LISTED = 200;
const SEARCHED = 10_000;

/** Lists agents' own conversations, or makes a session of one of them, or of a file that `export` wrote. */
export default async function importCommand(this: Context, flags: ImportFlags, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (name === undefined || flags.list) return list(client, output, flags);
  const cwd = flags.cwd === undefined ? undefined : resolve(flags.cwd);
  const session = isExported(name)
    ? await importFile(client, output, resolve(name), cwd)
    : await importConversation(client, output, flags, name, cwd);
  if (output.json) return output.data(session);
  const { paint } = output;
  const hint = paint.dim(`  gantry send ${shortId(session.id)} "…"    # continue from here`);
  output.print([
    `${session.id} ${paint.dim(`${pluralize(session.turns, "turn")}, ${session.agent}, ${session.cwd}`)}`,
    hint,
  ]);
}

async function list(client: Client, output: Output, { agent, all, cwd }: ImportFlags): Promise<void> {
  const folder = all ? undefined : resolve(cwd ?? ".");
  const listed = await client.imports.list({ agent, cwd: folder, limit: LISTED });
  if (output.json) return output.data(listed);
  const { paint, width } = output;
  for (const { message } of listed.problems) output.note(message);
  if (listed.conversations.length === 0)
    return output.print(`No conversations on disk${folder ? ` of ${folder}; --all looks everywhere` : ""}.`);
  const now = Date.now();
  const columns = [
    { title: "CONVERSATION" },
    { title: "AGENT" },
    { title: "UPDATED" },
    { title: "SIZE" },
    { title: "SESSION" },
    { title: "TITLE", shrink: true },
  ];
  if (all) columns.push({ title: "FOLDER" });
  output.print(
    renderTable(
      columns,
      listed.conversations.map((one) => cells(one, now, all)),
      { header: paint.dim, width: width?.() },
    ),
  );
  if (!listed.complete) output.print(paint.dim(`These are the newest ${LISTED}; there are more.`));
  output.print(paint.dim("\ngantry import <conversation>    makes a session of one"));
}

function cells(one: PastConversation, now: number, all: boolean): string[] {
  const session = one.imported ? shortId(one.imported) : "";
  const row = [
    stripControls(one.id),
    one.agent,
    formatAgo(one.updatedAt, now),
    formatBytes(one.bytes),
    session,
    stripControls(one.title ?? ""),
  ];
  return all ? [...row, stripControls(one.cwd ?? "")] : row;
}

/** A file that begins as a compressed one does; conversations are text. */
function isExported(name: string): boolean {
  const path = resolve(name);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const head = Buffer.alloc(2);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, 2, 0);
  } finally {
    closeSync(file);
  }
  return name.endsWith(".gantry") || (head[0] === 0x1f && head[1] === 0x8b);
}

async function importFile(client: Client, output: Output, path: string, cwd: string | undefined): Promise<Session> {
  const progress = countBytes(output, "sent", statSync(path).size);
  try {
    const body = createReadStream(path).pipe(progress.through);
    return await client.imports.file(Readable.toWeb(body) as unknown as BodyInit, { cwd });
  } finally {
    progress.end();
  }
}

async function importConversation(
  client: Client,
  output: Output,
  flags: ImportFlags,
  name: string,
  cwd: string | undefined,
): Promise<Session> {
  const { agent, conversation } = await findConversation(client, flags.agent, name);
  const progress = new Progress(output);
  const body = { agent, conversation, cwd, again: flags.again || undefined };
  try {
    return await client.imports.watch(body, ({ done, total }) =>
      progress.show(`read ${formatBytes(done)} of ${formatBytes(total)}`),
    );
  } finally {
    progress.end();
  }
}

/** The conversation that a name stands for: its id or the beginning of one, or the path of its file. */
async function findConversation(
  client: Client,
  agent: string | undefined,
  name: string,
): Promise<{ agent: string; conversation: string }> {
  const { conversations } = await client.imports.list({ agent, limit: SEARCHED });
  const path = resolve(name);
  const exact = conversations.filter((one) => one.id === name || one.path === path);
  const found = exact.length > 0 ? exact : conversations.filter((one) => one.id.startsWith(name));
  const [one] = found;
  if (one && found.length === 1) return { agent: one.agent, conversation: one.id };
  if (found.length === 0)
    throw usageError(
      `There is neither a file nor a conversation \`${name}\`.`,
      "`gantry import --all` shows what agents have on disk.",
    );
  const shown = found.slice(0, 8).map((many) => `  ${many.id}  ${many.agent}  ${many.title ?? ""}`);
  throw usageError(
    [`\`${name}\` fits ${found.length} conversations:`, ...shown].join("\n"),
    "Give more of its id, or --agent.",
  );
}
