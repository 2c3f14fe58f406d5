import { existsSync, readFileSync } from "node:fs";
import { isMap, parseDocument } from "yaml";
import { replaceFile } from "../replace-file.ts";

/**
 * Writes one word of a section of config.yml. Comments and everything else stay. A file with a mistake is left alone: what
 * it means is not known.
 */
export function keepSetting(
  file: string,
  [section, key]: readonly [section: string, key: string],
  value: string,
): { ok: true } | { ok: false; message: string } {
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  const there = document.get(section);
  const odd = document.contents !== null && !isMap(document.contents);
  if (document.errors.length > 0 || odd || (there && !isMap(there))) {
    return { ok: false, message: `${file} has a mistake; mend it first.` };
  }
  if (isMap(there)) there.set(key, value);
  else document.set(section, document.createNode({ [key]: value }));
  try {
    replaceFile(file, document.toString({ lineWidth: 0 }));
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `${file} cannot be written: ${(error as Error).message}` };
  }
}
