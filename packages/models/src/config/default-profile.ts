import { existsSync, readFileSync } from "node:fs";
import { isMap, parseDocument } from "yaml";
import { replaceFile } from "./replace-file.ts";

/**
 * Writes into config.yml which profile is in use from the start. Comments and everything else stay. A file with a mistake
 * is left alone: what it means is not known.
 */
export function keepDefaultProfile(file: string, name: string): { ok: true } | { ok: false; message: string } {
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  const section = document.get("modelProfile");
  const odd = document.contents !== null && !isMap(document.contents);
  if (document.errors.length > 0 || odd || (section && !isMap(section))) {
    return { ok: false, message: `${file} has a mistake; mend it first.` };
  }
  if (isMap(section)) section.set("default", name);
  else document.set("modelProfile", document.createNode({ default: name }));
  try {
    replaceFile(file, document.toString({ lineWidth: 0 }));
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `${file} cannot be written: ${(error as Error).message}` };
  }
}
