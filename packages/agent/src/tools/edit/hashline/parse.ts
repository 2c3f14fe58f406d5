import { ToolError } from "../../../contract/tool.ts";

/** `hash` is missing for the file's start (line 0) and end (infinity). */
export type Anchor = { line: number; hash?: string };
/** Lines `first` to `last` become `payload`. An insertion comes `after` a line and replaces none. */
export type LineOp = { kind: "replace"; first: Anchor; last: Anchor; payload: string[] } | Insertion;
type Insertion = { kind: "insert"; at: Anchor; side: "before" | "after"; payload: string[] };
export type Section = { path: string; ops: LineOp[] };

const ANCHOR = String.raw`(?:(\d+)([a-z]{2})(?:\|.*?)?|(BOF|EOF))`;
const INSERT = new RegExp(`^([»«])\\s*${ANCHOR}\\s*$`);
const REPLACE = new RegExp(`^≔\\s*${ANCHOR}(?:\\s*\\.\\.\\s*${ANCHOR})?\\s*$`);
const COPIED = /^\d+[a-z]{2}\|/;

/** Parses anchored edits. Throws a `ToolError` that names the line. */
export function parseHashline(input: string): Section[] {
  const lines = input.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const sections: Section[] = [];
  let op: LineOp | undefined;
  for (const [index, line] of lines.entries()) {
    const section = sections.at(-1);
    const next = section && parseOp(line, index + 1, op !== undefined);
    if (line.startsWith("§")) {
      op = undefined;
      const path = line.slice(1).trim();
      if (path === "") throw new ToolError(`Line ${index + 1} of the edit: no path after §.`);
      sections.push({ path, ops: [] });
    } else if (next) {
      op = next;
      section.ops.push(next);
    } else if (op) op.payload.push(/^\\[§»«≔]/.test(line) ? line.slice(1) : line);
    else if (line.trim() !== "")
      throw new ToolError(`Line ${index + 1} of the edit belongs to no operation: ${line.slice(0, 80)}`);
  }
  return checkSections(sections);
}

function parseOp(line: string, number: number, inPayload: boolean): LineOp | undefined {
  const insert = INSERT.exec(line);
  if (insert) {
    const [, sign, digits, hash, edge] = insert;
    return { kind: "insert", at: anchor(digits, hash, edge), side: sign === "»" ? "after" : "before", payload: [] };
  }
  const replace = REPLACE.exec(line);
  if (replace) {
    const [, digits, hash, edge, digits2, hash2, edge2] = replace;
    const first = anchor(digits, hash, edge);
    return { kind: "replace", first, last: digits2 || edge2 ? anchor(digits2, hash2, edge2) : first, payload: [] };
  }
  // A text line may begin with a quotation mark; only an anchor after it makes an operation.
  if (line.startsWith("≔") || (!inPayload && /^[»«]/.test(line))) {
    throw new ToolError(
      `Line ${number} of the edit: ${line.slice(0, 40)} is not an operation. Expected an anchor such as 41th.`,
    );
  }
  return undefined;
}

function anchor(digits: string | undefined, hash: string | undefined, edge: string | undefined): Anchor {
  if (edge) return { line: edge === "BOF" ? 0 : Number.POSITIVE_INFINITY };
  return { line: Number(digits), ...(hash && { hash }) };
}

function checkSections(sections: Section[]): Section[] {
  if (sections.length === 0) throw new ToolError("The edit names no file: start with a line §path.");
  for (const { path, ops } of sections) {
    if (ops.length === 0) throw new ToolError(`The edit of ${path} has no operation.`);
    for (const op of ops) {
      if (op.payload.length > 0 && op.payload.every((line) => COPIED.test(line))) {
        op.payload = op.payload.map((line) => line.replace(COPIED, ""));
      }
      if (op.kind === "insert" && op.payload.length === 0) throw new ToolError(`${path}: an insertion without lines.`);
      if (op.kind === "replace" && op.last.line < op.first.line) {
        throw new ToolError(`${path}: the range ${op.first.line}..${op.last.line} ends before it starts.`);
      }
    }
  }
  return sections;
}
