import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Never half a file, and through a link to where it really is. Its permissions stay; a new one is for its owner. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  renameSync(draft, target);
}
