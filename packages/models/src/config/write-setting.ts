import { existsSync, readFileSync } from "node:fs";
import { isMap, parseDocument } from "yaml";
import { replaceFile } from "../replace-file.ts";

/**
 * Sets one key of a section of config.yml and keeps comments and all other content. Does not touch a file that has a
 * syntax error.
 */
export function writeSetting(
  file: string,
  [section, key]: readonly [section: string, key: string],
  value: string,
): { ok: true } | { ok: false; message: string } {
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  const current = document.get(section);
  const isNotMap = document.contents !== null && !isMap(document.contents);
  if (document.errors.length > 0 || isNotMap || (current && !isMap(current))) {
    return { ok: false, message: `${file} has a syntax error. Correct it first; nothing was changed.` };
  }
  if (isMap(current)) current.set(key, value);
  else document.set(section, document.createNode({ [key]: value }));
  try {
    replaceFile(file, document.toString({ lineWidth: 0 }));
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `${file} cannot be written: ${(error as Error).message}` };
  }
}
