import type { RuleProblem } from "../contract/rules.ts";
import type { Front } from "./rule.ts";

/**
 * Reads the fields at the head of a Markdown file. Never rejects: where they are not YAML, lines of `key: value` are
 * read literally (other tools write `globs: *.ts`, which is not YAML), and any other line is reported as a problem.
 */
export async function readFront(path: string, text: string): Promise<Front> {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
  const match = /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(clean);
  if (!match) return { fields: {}, body: clean.trim(), problems: [], lineOf: () => undefined };
  const head = match[1]!;
  const body = clean.slice(match[0].length).trim();
  return { body, ...((await fromYaml(head)) ?? fromLines(path, head)) };
}

async function fromYaml(head: string): Promise<Omit<Front, "body"> | undefined> {
  const { isMap, isSeq, isScalar, LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(head, { lineCounter, logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined;
  // The line numbers include the opening dashes.
  const line = (offset: number | undefined) =>
    offset === undefined ? undefined : lineCounter.linePos(offset).line + 1;
  const lineOf = (field: string, item?: number): number | undefined => {
    const pair = isMap(document.contents)
      ? document.contents.items.find(({ key }) => isScalar(key) && key.value === field)
      : undefined;
    const value = pair?.value;
    const node = isSeq(value) && item !== undefined ? value.items[item] : pair?.key;
    return line((node as { range?: [number, number, number] | null } | undefined)?.range?.[0]);
  };
  try {
    return { fields: (document.toJS() ?? {}) as Record<string, unknown>, problems: [], lineOf };
  } catch {
    return undefined;
  }
}

function fromLines(path: string, head: string): Omit<Front, "body"> {
  const fields: Record<string, unknown> = {};
  const places: Record<string, number> = {};
  const problems: RuleProblem[] = [];
  for (const [index, text] of head.split("\n").entries()) {
    const [, key, value] = /^([\w-]+):[ \t]*(.*)$/.exec(text) ?? [];
    if (key !== undefined && value !== undefined) {
      places[key] = index + 2;
      if (value.trim() !== "") fields[key] = parsePlainValue(value.trim());
    } else if (text.trim() !== "" && !text.trim().startsWith("#")) {
      problems.push({ file: path, line: index + 2, message: "neither YAML nor `key: value`; the line is ignored" });
    }
  }
  return { fields, problems, lineOf: (field) => places[field] };
}

function parsePlainValue(value: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  return value.replace(/^(["'])(.*)\1$/, "$2");
}
