/** Deeper nesting counts as broken: people do not write it by hand. */
export const DEEPEST = 30;

const ANSI: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
};

/** The text of `$'…'`. */
export function decodeAnsi(raw: string): string {
  return raw.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, char = "") => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      return ANSI[char] ?? char;
    },
  );
}

/** The index where the bracket or quote that was opened before `from` ends; -1 if it does not. */
export function findClosing(source: string, from: number, close: ")" | "}" | '"' | "'", nesting = 0): number {
  if (nesting > DEEPEST) return -1;
  const open = close === ")" ? "(" : close === "}" ? "{" : undefined;
  let depth = 1;
  for (let at = from; at >= 0 && at < source.length; at++) {
    const char = source[at]!;
    if (char === close) {
      if (--depth === 0) return at;
    } else if (close === "'") continue;
    else if (char === "\\") at++;
    else if (char === "$" && (source[at + 1] === "(" || source[at + 1] === "{")) {
      at = clampEnd(findClosing(source, at + 2, source[at + 1] === "(" ? ")" : "}", nesting + 1), source);
    } else if (close === '"') continue;
    else if (char === open) depth++;
    else if (char === "'" || char === '"') at = clampEnd(findClosing(source, at + 1, char, nesting + 1), source);
  }
  return -1;
}

function clampEnd(end: number, source: string): number {
  return end < 0 ? source.length : end;
}

/** Whether the content of `$(…)` is the rest of a `$((…))`. */
export function isArithmetic(inner: string): boolean {
  if (!inner.startsWith("(") || !inner.endsWith(")")) return false;
  const text = inner.slice(1, -1);
  if (/[A-Za-z_]\w*\s+[-\w/.~]/.test(text)) return false;
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
