import { existsSync, readFileSync } from "node:fs";
import { type Document, isMap, parseDocument } from "yaml";
import { replaceFile } from "../replace-file.ts";

/**
 * Sets one key of config.yml, which may be in sections, and keeps comments and all other content. Does not touch a file that
 * has a syntax error, or in which a section is no section.
 */
export function writeSetting(file: string, path: readonly string[], value: string | number | boolean): Written {
  return change(file, (document) => {
    for (let depth = 1; depth < path.length; depth++) {
      const section = document.getIn(path.slice(0, depth));
      if (section !== undefined && section !== null && !isMap(section)) return false;
    }
    const dotted = path.join(".");
    if (path.length > 1 && document.has(dotted)) document.set(dotted, value);
    else if (document.contents === null) document.contents = document.createNode(nest(path, value));
    else document.setIn(path, value);
    return true;
  });
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
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
