import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SessionStore, SessionSummary } from "../contract/session-store.ts";
import { textOf } from "./branch-session.ts";
import { TITLE_REACH } from "./disk/file.ts";
import { createSessionStore, openSessionStore } from "./open.ts";
import { type Place, sessionFolder, sessionsRoot } from "./paths.ts";

const HEAD = 4096;

/** The sessions of a folder, or all sessions, newest first. Other files are skipped. */
export function listSessions(where: { cwd: string } | "all", place: Place = {}): SessionSummary[] {
  const cwd = where === "all" ? undefined : resolve(where.cwd);
  const folders = cwd !== undefined || place.dir ? [sessionFolder(cwd ?? "", place)] : listPaths(sessionsRoot(place));
  return folders
    .flatMap((folder) => listPaths(folder).filter((file) => file.endsWith(".jsonl")))
    .flatMap((file) => summary(file) ?? [])
    .filter((session) => cwd === undefined || session.cwd === cwd)
    .sort((a, b) => b.modifiedAt - a.modifiedAt || b.file.localeCompare(a.file));
}

/** Opens the last written session of this folder, or a new one. If another process writes it, a fork is opened. */
export function continueRecent(cwd: string, place: Place = {}): SessionStore {
  const [recent] = listSessions({ cwd }, place);
  if (!recent) return createSessionStore({ ...place, cwd });
  return openSessionStore(recent.file, { ...place, onHeld: "fork" });
}

/** Finds a session by path, id or id prefix; sessions of this folder come first. */
export function findSession(name: string, cwd: string, place: Place = {}): SessionSummary | undefined {
  const direct = isFile(resolve(cwd, name)) ? summary(resolve(cwd, name)) : undefined;
  if (direct) return direct;
  const fits = ({ id }: SessionSummary) => name !== "" && id.startsWith(name);
  return listSessions({ cwd }, place).find(fits) ?? listSessions("all", place).find(fits);
}

function summary(file: string): SessionSummary | undefined {
  try {
    const fd = openSync(file, "r");
    try {
      const { size, mtimeMs } = fstatSync(fd);
      const head = lines(piece(fd, 0, Math.min(HEAD, size)));
      const [header] = head;
      if (header?.type !== "session" || typeof header.id !== "string") return undefined;
      const tail = lines(piece(fd, Math.max(0, size - TITLE_REACH), Math.min(TITLE_REACH, size)), '"session_info"');
      const title = [header.title, ...[...head, ...tail].filter(isTitle).map(({ name }) => name)].at(-1);
      return {
        file,
        id: header.id,
        cwd: String(header.cwd ?? ""),
        title: typeof title === "string" ? title : undefined,
        firstMessage: firstMessage(fd, size, head),
        parentSession: typeof header.parentSession === "string" ? header.parentSession : undefined,
        createdAt: String(header.timestamp ?? ""),
        modifiedAt: mtimeMs,
        bytes: size,
      };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

type Loose = Record<string, unknown>;

function isTitle(line: Loose): boolean {
  return line.type === "session_info" && typeof line.name === "string";
}

/** A long first message may exceed the part that was read; then its beginning is used. */
function firstMessage(fd: number, size: number, head: Loose[]): string | undefined {
  const isUser = (line: Loose) => (line.message as Loose | undefined)?.role === "user";
  const found = head.find(isUser) ?? lines(piece(fd, 0, Math.min(16 * HEAD, size))).find(isUser);
  if (found) return textOf((found.message as Loose).content).slice(0, 200);
  const [, start] =
    /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.){1,200})/.exec(
      piece(fd, 0, Math.min(HEAD, size)),
    ) ?? [];
  return start === undefined ? undefined : (parse(`{"text":"${start}"}`)?.text as string | undefined);
}

function lines(text: string, mark = ""): Loose[] {
  return text.split("\n").flatMap((line) => (line.includes(mark) ? [parse(line) ?? {}] : []));
}

function parse(line: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Loose) : undefined;
  } catch {
    return undefined;
  }
}

function piece(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, length, from));
}

function listPaths(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
