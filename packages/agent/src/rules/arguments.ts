const PATH_FIELDS = "path|file_path|filePath|file|filename|notebook_path|old_path|new_path|rename|move";
const PATH = new RegExp(`"(?:${PATH_FIELDS})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, "g");
const LIST = /"(?:paths|files)"\s*:\s*\[([^\]]*)\]/g;
const PATCH = /(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )([^\n\\"]+)/g;

/** The files that a call's arguments name. `text` may be incomplete JSON. */
export function pathsIn(json: string): string[] {
  const lists = [...json.matchAll(LIST)].flatMap(([, list]) => [...(list ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)]);
  const found = [...json.matchAll(PATH), ...lists, ...json.matchAll(PATCH)].map(([, path]) =>
    decodeEscapes(path ?? "").trim(),
  );
  return [...new Set(found.filter((path) => path !== ""))];
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Decodes JSON escapes, so that a pattern sees the text that the call will write. */
export function decodeEscapes(json: string): string {
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, char: string | undefined) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[char!] ?? char!),
  );
}
