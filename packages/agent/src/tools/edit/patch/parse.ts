import { ToolError } from "../../../contract/tool.ts";

/** One place of a file: the old lines and the new ones. `after` names a line further up. */
export type Chunk = { after: string[]; old: string[]; new: string[]; atEnd: boolean };
export type PatchPart =
  | { op: "add"; path: string; text: string }
  | { op: "delete"; path: string }
  | { op: "update"; path: string; moveTo?: string; chunks: Chunk[] };

const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

/** Parses the envelope of `apply_patch`. Throws a `ToolError` that names the line. */
export function parsePatch(input: string): PatchPart[] {
  const { lines, offset } = stripEnvelope(input);
  const parts: PatchPart[] = [];
  let at = 0;
  const fail = (message: string): never => {
    throw new ToolError(`Line ${at + offset + 1} of the patch: ${message}`);
  };
  while (at < lines.length) {
    const head = FILE.exec(lines[at]!.trimEnd());
    if (!head) {
      if (lines[at]!.trim() !== "")
        fail(`expected "*** Add File:", "*** Update File:" or "*** Delete File:", found ${lines[at]!.slice(0, 60)}`);
      at++;
      continue;
    }
    const path = head[2]!.trim();
    const start = ++at;
    while (at < lines.length && !FILE.test(lines[at]!.trimEnd())) at++;
    const body = lines.slice(start, at);
    try {
      parts.push(partOf(head[1]!, path, body));
    } catch (error) {
      throw new ToolError(`${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (parts.length === 0) throw new ToolError("The patch names no file.");
  return parts;
}

/** Strips the envelope, and shell or Markdown quoting around it. */
function stripEnvelope(input: string): { lines: string[]; offset: number } {
  const lines = input.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  if (begin < 0) throw new ToolError('The patch must begin with "*** Begin Patch".');
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  if (end < begin) throw new ToolError('The patch must end with "*** End Patch".');
  return { lines: lines.slice(begin + 1, end), offset: begin + 1 };
}

function partOf(verb: string, path: string, body: string[]): PatchPart {
  const trimmed = body.at(-1) === "" ? body.slice(0, -1) : body;
  if (verb === "Delete") {
    if (trimmed.some((line) => line.trim() !== "")) throw new ToolError("a deletion must have no lines.");
    return { op: "delete", path };
  }
  if (verb === "Add") {
    const wrong = trimmed.find((line) => !line.startsWith("+"));
    if (wrong !== undefined)
      throw new ToolError(`each line of a new file must begin with "+", not: ${wrong.slice(0, 60)}`);
    return { op: "add", path, text: trimmed.map((line) => `${line.slice(1)}\n`).join("") };
  }
  const move = /^\*\*\* Move to: (.+)$/.exec(trimmed[0]?.trimEnd() ?? "")?.[1]?.trim();
  const chunks = chunksOf(move ? trimmed.slice(1) : trimmed);
  if (chunks.length === 0 && !move) throw new ToolError("an update needs changes.");
  return { op: "update", path, ...(move && { moveTo: move }), chunks };
}

function chunksOf(lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Chunk | undefined;
  let after: string[] = [];
  for (const line of lines) {
    if (/^@@( |$)/.test(line)) {
      const header = line.slice(3).replace(/^-\d+(,\d+)? \+\d+(,\d+)? @@ ?/, "");
      after = open ? [] : after;
      open = undefined;
      if (header.trim() !== "") after.push(header);
      continue;
    }
    if (line.trim() === "*** End of File") {
      if (open) open.atEnd = true;
      open = undefined;
      after = [];
      continue;
    }
    open ??= begin(chunks, after);
    after = [];
    addLine(open, line);
  }
  return chunks.filter((chunk) => chunk.old.length > 0 || chunk.new.length > 0);
}

function begin(chunks: Chunk[], after: string[]): Chunk {
  const chunk = { after, old: [], new: [], atEnd: false };
  chunks.push(chunk);
  return chunk;
}

function addLine(chunk: Chunk, line: string): void {
  const text = line.slice(1);
  if (line.startsWith("+")) chunk.new.push(text);
  else if (line.startsWith("-")) chunk.old.push(text);
  else if (line.startsWith(" ") || line === "") {
    chunk.old.push(text);
    chunk.new.push(text);
  } else throw new ToolError(`each line must begin with " ", "+" or "-", not: ${line.slice(0, 60)}`);
}
