import type { FileChange } from "@gantry/protocol";

/** Adds to each file its part of a patch. Files that are not in the patch are unchanged. */
export function withPatch(files: readonly FileChange[], patch: string): FileChange[] {
  const parts = splitPatch(patch);
  return files.map((file) => {
    const diff = parts.get(file.to ?? file.path) ?? parts.get(file.path);
    return diff === undefined ? file : { ...file, diff };
  });
}

/** The parts of a patch by the file's new path, or its old path if it was deleted. */
export function splitPatch(patch: string): Map<string, string> {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return new Map(parts.map((part) => [pathOf(part), part]));
}

/** Content lines cannot match these headers, because they start with a sign. */
function pathOf(part: string): string {
  const head = part.split(/^@@ /m, 1)[0] ?? "";
  const header = (prefix: string) => new RegExp(`^${prefix}(.*)$`, "m").exec(head)?.[1];
  const after = header("\\+\\+\\+ ");
  if (after !== undefined && after !== "/dev/null") return stripPrefix(after);
  const moved = header("rename to ") ?? header("copy to ");
  if (moved !== undefined) return unquote(moved);
  const before = header("--- ");
  if (before !== undefined && before !== "/dev/null") return stripPrefix(before);
  return headerPath(header("diff --git ") ?? "");
}

/** `a/x b/x`: both halves are equal if no other header names the file. */
function headerPath(header: string): string {
  if (header.startsWith('"')) return stripPrefix(header.slice(0, header.indexOf('"', 1) + 1));
  return header.slice(2, (header.length - 1) / 2);
}

function stripPrefix(name: string): string {
  return unquote(name.replace(/\t$/, "")).replace(/^[ab]\//, "");
}

const ESCAPES: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "\\": "\\",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** git quotes unusual names as C strings, with bytes above 127 in octal. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece, octal, escaped] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(escaped ? (ESCAPES[escaped] ?? escaped) : piece));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
