/** The style of a span of output. Colors are palette indexes 0 to 15, or `#rrggbb`. */
export type Style = {
  color?: number | string;
  background?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
};
export type Span = { text: string; style: Style };

/** Terminal escape sequences: SGR (CSI … m), other CSI, OSC and two-character sequences. */
// biome-ignore lint/complexity/useRegexLiterals: an escape character is more readable in this form.
const SEQUENCE = new RegExp(
  "\\u001b\\[([0-9;:]*)m|\\u001b\\[[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|\\u001b[@-Z\\\\^_=>78()][0-9AB]?",
  "g",
);

/** Parses a program's output into styled spans. Cursor movements are dropped; an overwritten line keeps its last state. */
export function parseAnsi(output: string): Span[] {
  const text = applyCarriageReturns(output);
  const spans: Span[] = [];
  let style: Style = {};
  let done = 0;
  const push = (piece: string) => {
    if (piece !== "") spans.push({ text: piece, style });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(text.slice(done, match.index));
    done = match.index + match[0].length;
    if (match[1] !== undefined) style = applySgr(style, match[1]);
  }
  push(text.slice(done));
  return spans;
}

/** The output without escape sequences, for copying. */
export function plainOutput(output: string): string {
  return applyCarriageReturns(output).replace(SEQUENCE, "");
}

/** Keeps only the last state of lines that a progress display overwrote. */
function applyCarriageReturns(output: string): string {
  if (!output.includes("\r")) return output;
  return output.replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "");
}

function applySgr(style: Style, sequence: string): Style {
  const codes = sequence.split(/[;:]/).map(Number);
  const next = { ...style };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [color, taken] = parseExtendedColor(codes.slice(at + 1));
      if (color !== undefined) next[code === 38 ? "color" : "background"] = color;
      at += taken;
    } else if (code === 0) return applySgr({}, codes.slice(at + 1).join(";") || "39");
    else Object.assign(next, simpleStyle(code));
  }
  return next;
}

function simpleStyle(code: number): Style {
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 3) return { italic: true };
  if (code === 4) return { underline: true };
  if (code === 7) return { inverse: true };
  if (code === 22) return { bold: undefined, dim: undefined };
  if (code === 23) return { italic: undefined };
  if (code === 24) return { underline: undefined };
  if (code === 27) return { inverse: undefined };
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code === 39) return { color: undefined };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code === 49) return { background: undefined };
  if (code >= 90 && code <= 97) return { color: code - 82 };
  return code >= 100 && code <= 107 ? { background: code - 92 } : {};
}

/** Parses `5;n` (256 colors) or `2;r;g;b`. Also returns the number of codes consumed. */
function parseExtendedColor([mode, ...values]: number[]): [color: number | string | undefined, taken: number] {
  if (mode === 2) return [hex(values.slice(0, 3)), 4];
  const n = values[0];
  if (mode !== 5 || n === undefined || n > 255) return [undefined, 2];
  if (n < 16) return [n, 2];
  if (n >= 232) return [hex(Array(3).fill(8 + (n - 232) * 10)), 2];
  const steps = [Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6];
  return [hex(steps.map((step) => (step === 0 ? 0 : 55 + step * 40))), 2];
}

function hex(values: number[]): string | undefined {
  if (values.length < 3 || values.some((value) => !(value >= 0 && value <= 255))) return undefined;
  return `#${values.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
