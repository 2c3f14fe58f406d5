import type { StatementSync } from "node:sqlite";
import type { ConversationHead } from "../../contract.ts";
import { compact, type Fields, nonBlank, parseFields } from "../../fields.ts";
import { isoTime } from "../../history/recorder.ts";
import { openReadOnly } from "./quiet-database.ts";
import type { PastMessage } from "./reader.ts";

/** Conversations started by the user; subagent conversations belong to them. */
const HEADS = `
SELECT s.id, s.directory, s.title, s.time_created AS created, s.time_updated AS updated,
  (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages
FROM session s WHERE s.parent_id IS NULL ORDER BY s.time_updated DESC`;
const MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id";
const PARTS = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id";
const SIZE = "SELECT coalesce(sum(length(data)), 0) AS bytes FROM part WHERE session_id = ?";

type Row = Record<string, string | number | null>;

export function databaseHeads(path: string): ConversationHead[] {
  const opened = openReadOnly(path);
  try {
    const sizes = opened.db.prepare(SIZE);
    return (opened.db.prepare(HEADS).all() as Row[]).map((row) => headOf(row, path, sizes));
  } finally {
    opened.close();
  }
}

function headOf(row: Row, path: string, sizes: StatementSync): ConversationHead {
  const id = String(row.id);
  return compact({
    id,
    path,
    cwd: nonBlank(row.directory),
    title: nonBlank(row.title),
    startedAt: isoTime(row.created),
    updatedAt: isoTime(row.updated) ?? new Date(0).toISOString(),
    messages: Number(row.messages),
    bytes: Number((sizes.get(id) as Row).bytes),
  });
}

/** Streams messages, one in memory at a time. */
export async function* databaseMessages({ id, path }: ConversationHead): AsyncGenerator<PastMessage> {
  const opened = openReadOnly(path);
  try {
    const parts = opened.db.prepare(PARTS);
    for (const row of opened.db.prepare(MESSAGES).iterate(id) as Iterable<Row>) {
      yield { info: entryOf(row), parts: (parts.all(String(row.id)) as Row[]).map(entryOf) };
    }
  } finally {
    opened.close();
  }
}

function entryOf(row: Row): Fields {
  return { id: row.id, ...parseFields(String(row.data)) };
}
