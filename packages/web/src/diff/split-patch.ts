import type { FileChange } from "@gantry/protocol";

/** Files with the part of a whole patch that is about them; those that the patch does not hold stay as they are. */
export function withPatch(files: readonly FileChange[], patch: string): FileChange[] {
  const parts = splitPatch(patch);
  return files.map((file) => {
    const diff = parts.get(file.to ?? file.path) ?? parts.get(file.path);
    return diff === undefined ? file : { ...file, diff };
  });
}

/** The parts of a patch by the path that a file has after it, or had before where it is gone. */
export function splitPatch(patch: string): Map<string, string> {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  return new Map(parts.map((part) => [pathOf(part), part]));
}

/** A line of a file's content cannot be taken for one of these: it begins with a sign. */
function pathOf(part: string): string {
  const head = part.split(/^@@ /m, 1)[0] ?? "";
  const named = (prefix: string) => new RegExp(`^${prefix}(.*)$`, "m").exec(head)?.[1];
  const after = named("\\+\\+\\+ ");
  if (after !== undefined && after !== "/dev/null") return without(after);
  const moved = named("rename to ") ?? named("copy to ");
  if (moved !== undefined) return unquoted(moved);
  const before = named("--- ");
  if (before !== undefined && before !== "/dev/null") return without(before);
  return headerPath(named("diff --git ") ?? "");
}

/** `a/x b/x`: both halves are the same where nothing else names the file. */
function headerPath(header: string): string {
  if (header.startsWith('"')) return without(header.slice(0, header.indexOf('"', 1) + 1));
  return header.slice(2, (header.length - 1) / 2);
}

function without(name: string): string {
  return unquoted(name.replace(/\t$/, "")).replace(/^[ab]\//, "");
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

/** git quotes names with strange characters as C does, bytes above 127 in octal. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece, octal, escaped] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(escaped ? (ESCAPES[escaped] ?? escaped) : piece));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
