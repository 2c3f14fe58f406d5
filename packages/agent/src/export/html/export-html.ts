import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { replaceFile } from "@gantry/models/replace-file";
import { errorText } from "../../contract/errors.ts";
import { SessionError } from "../../contract/session.ts";
import type { SessionStore } from "../../contract/session-store.ts";
import { withBlobs } from "../../session-files/disk/blobs.ts";
import { openSessionStore } from "../../session-files/open.ts";
import { blobFolder, type Place } from "../../session-files/paths.ts";
import { page } from "./page.ts";

/**
 * Exports a session as one self-contained HTML page: the whole tree, with images. Without `outPath` it is written to the
 * session's `cwd`, or to the process's if that no longer exists. Throws a `SessionError`.
 */
export async function exportHtml(
  source: SessionStore | string,
  outPath?: string,
  place: Place = {},
): Promise<{ path: string }> {
  const store = typeof source === "string" ? openSessionFile(source, place) : source;
  const folder = existsSync(store.header.cwd) ? store.header.cwd : process.cwd();
  const name = store.file ? basename(store.file, ".jsonl") : store.header.id;
  const path = resolve(folder, outPath ?? `gantry-session-${name}.html`);
  const text = page({
    header: store.header,
    entries: store.entries().map((entry) => withBlobs(entry, blobFolder(place))),
    labels: Object.fromEntries(store.labels()),
    leafId: store.leafId,
  });
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, text);
  } catch (error) {
    throw new SessionError(`${path} cannot be written: ${errorText(error)}`);
  }
  return { path };
}

function openSessionFile(file: string, place: Place): SessionStore {
  const store = openSessionStore(file, { ...place, readOnly: true });
  if (store.file !== resolve(file)) throw new SessionError(`${file} is not a session.`);
  return store;
}
