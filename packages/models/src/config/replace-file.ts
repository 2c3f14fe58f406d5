import { chmodSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Never half a file. Its permissions stay; a new one is for its owner. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  renameSync(draft, file);
}
