import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationHead } from "../../contract.ts";
import { compact, type Fields, fields, nonBlank, parseFields } from "../../fields.ts";
import { isoTime } from "../../history/recorder.ts";
import type { PastMessage } from "./reader.ts";

/** The tree of older versions: `session/<project>/<id>.json`, `message/<session>/`, `part/<message>/`. */
export async function storageHeads(storage: string): Promise<ConversationHead[]> {
  const projects = await names(join(storage, "session"));
  const found = await Promise.all(
    projects.map(async (project) => {
      const folder = join(storage, "session", project);
      return Promise.all((await names(folder)).filter(isJson).map((name) => headOf(join(folder, name))));
    }),
  );
  return found.flat().filter((head) => head !== undefined);
}

async function headOf(path: string): Promise<ConversationHead | undefined> {
  const session = await read(path);
  const id = nonBlank(session.id);
  if (!id || nonBlank(session.parentID)) return undefined;
  const { created, updated } = fields(session.time);
  return compact({
    id,
    path,
    cwd: nonBlank(session.directory),
    title: nonBlank(session.title),
    startedAt: isoTime(created),
    updatedAt: isoTime(updated) ?? new Date(0).toISOString(),
    bytes: 0,
  });
}

export async function* storageMessages(storage: string, id: string): AsyncGenerator<PastMessage> {
  const folder = join(storage, "message", id);
  for (const name of (await names(folder)).filter(isJson)) {
    const info = await read(join(folder, name));
    const inside = join(storage, "part", nonBlank(info.id) ?? name.slice(0, -".json".length));
    const parts = await Promise.all((await names(inside)).filter(isJson).map((part) => read(join(inside, part))));
    yield { info, parts };
  }
}

function isJson(name: string): boolean {
  return name.endsWith(".json");
}

/** Sorted by id, which starts with the time. Links are skipped. */
async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

async function read(path: string): Promise<Fields> {
  return parseFields(await readFile(path, "utf8").catch(() => ""));
}
