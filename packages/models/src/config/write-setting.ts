import { existsSync, readFileSync } from "node:fs";
import { type Document, isMap, parseDocument } from "yaml";
import { replaceFile } from "../replace-file.ts";

/**
 * Sets one key of a section of config.yml and keeps comments and all other content. Does not touch a file that has a
 * syntax error.
 */
export function writeSetting(
  file: string,
  [section, key]: readonly [section: string, key: string],
  value: string,
): Written {
  return change(file, (document) => {
    const current = document.get(section);
    if (current && !isMap(current)) return false;
    if (isMap(current)) current.set(key, value);
    else document.set(section, document.createNode({ [key]: value }));
    return true;
  });
}

/** Sets a key of config.yml that is a list of texts, in the same way. An empty list removes the key. */
export function writeListSetting(file: string, key: string, values: readonly string[]): Written {
  return change(file, (document) => {
    if (values.length === 0) document.delete(key);
    else document.set(key, document.createNode([...values]));
    return true;
  });
}

type Written = { ok: true } | { ok: false; message: string };

/** `apply` returns whether the file has the expected form. */
function change(file: string, apply: (document: Document) => boolean): Written {
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  const isNotMap = document.contents !== null && !isMap(document.contents);
  if (document.errors.length > 0 || isNotMap || !apply(document)) {
    return { ok: false, message: `${file} has a syntax error. Correct it first; nothing was changed.` };
  }
  try {
    replaceFile(file, document.toString({ lineWidth: 0 }));
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `${file} cannot be written: ${(error as Error).message}` };
  }
}
