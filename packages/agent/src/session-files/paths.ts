import { createHash, randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where session files are. `dir`: a folder that holds the files directly (`--session-dir`), whatever their `cwd`. */
export type Place = { dir?: string; agentDir?: string };

export function agentDirectory(env: Record<string, string | undefined> = process.env): string {
  if (env.GANTRY_AGENT_DIR) return resolve(env.GANTRY_AGENT_DIR);
  return join(env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), ".gantry"), "agent");
}

export function sessionsRoot(place: Place): string {
  return join(place.agentDir ?? agentDirectory(), "sessions");
}

/** The folder for sessions of `cwd`. Several values of `cwd` may share one, so lists must compare the header. */
export function sessionFolder(cwd: string, place: Place): string {
  if (place.dir) return resolve(place.dir);
  const name = resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:]/g, "-");
  // File names are limited to 255 bytes.
  const short = Buffer.byteLength(name) <= 200 ? name : `${name.slice(0, 48)}-${digest(name)}`;
  return join(sessionsRoot(place), `--${short}--`);
}

export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

export function blobFolder(place: Place): string {
  return join(place.agentDir ?? agentDirectory(), "blobs");
}

/** The artifact folder has the name of the session file. */
export function artifactFolder(file: string): string {
  return file.replace(/\.jsonl$/, "").concat(file.endsWith(".jsonl") ? "" : ".artifacts");
}

/** Time-ordered: the files of a folder sort by age. */
export function uuidv7(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
