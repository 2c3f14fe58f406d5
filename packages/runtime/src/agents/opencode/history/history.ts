import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConversationHead, History, HistoryEntry, HistoryPlace } from "../../contract.ts";
import { databaseHeads, databaseMessages } from "./database.ts";
import { stampOf } from "./quiet-database.ts";
import { OpenCodeReader } from "./reader.ts";
import { storageHeads, storageMessages } from "./storage.ts";

/** OpenCode's conversations: in its database, or in a tree of JSON files in older versions. */
export const history: History = openCodeHistory("opencode");

/** OpenCode and derived agents store everything under their name. */
export function openCodeHistory(name: string): History {
  const folder = ({ env, home }: HistoryPlace) => join(env.XDG_DATA_HOME || join(home, ".local", "share"), name);
  const database = (place: HistoryPlace) => join(folder(place), `${name}.db`);
  const storage = (place: HistoryPlace) => join(folder(place), "storage");
  /** The last result, valid until the database is written. */
  let last: { path: string; stamp: string; heads: ConversationHead[] } | undefined;
  return { folders: (place) => [folder(place)], find, read };

  function inDatabase(path: string): ConversationHead[] {
    if (!existsSync(path)) return [];
    const { stamp } = stampOf(path);
    if (last?.path !== path || last.stamp !== stamp) last = { path, stamp, heads: databaseHeads(path) };
    return last.heads;
  }

  async function* find(place: HistoryPlace): AsyncGenerator<ConversationHead> {
    const stored = inDatabase(database(place));
    const ids = new Set(stored.map(({ id }) => id));
    const older = (await storageHeads(storage(place))).filter(({ id }) => !ids.has(id));
    yield* [...stored, ...older].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  async function* read(found: ConversationHead, place: HistoryPlace): AsyncGenerator<HistoryEntry> {
    const reader = new OpenCodeReader(found.id);
    const messages =
      found.path === database(place) ? databaseMessages(found) : storageMessages(storage(place), found.id);
    for await (const message of messages) {
      reader.message(message);
      yield* reader.takeEntries();
    }
    reader.finish();
    yield* reader.takeEntries();
  }
}
