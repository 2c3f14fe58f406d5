/** Context lines around a change. */
const CONTEXT = 3;
/** Above this many line pairs the changed part is shown as replaced, because the minimal diff costs too much. */
const MAX_TABLE = 400_000;

type Line = { sign: " " | "+" | "-"; text: string };

export type LineDiff = { diff: string; additions: number; deletions: number };

/** A unified diff (hunks only) between two texts, with its counts. */
export function lineDiff(before: string, after: string): LineDiff {
  const lines = compare(linesOf(before), linesOf(after));
  const additions = lines.filter(({ sign }) => sign === "+").length;
  const deletions = lines.filter(({ sign }) => sign === "-").length;
  return { diff: hunks(lines), additions, deletions };
}

function linesOf(value: string): string[] {
  return value === "" ? [] : value.replace(/\n$/, "").split("\n");
}

function compare(before: string[], after: string[]): Line[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const unchangedLine = (text: string): Line => ({ sign: " ", text });
  return [
    ...before.slice(0, head).map(unchangedLine),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(unchangedLine),
  ];
}

/** The diff of the changed part, from its longest common subsequence. */
function middle(before: string[], after: string[]): Line[] {
  const removed = before.map((text): Line => ({ sign: "-", text }));
  const added = after.map((text): Line => ({ sign: "+", text }));
  if (before.length * after.length > MAX_TABLE) return [...removed, ...added];
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const commonLength = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const equal = before[i] === after[j];
      table[i * width + j] = equal
        ? commonLength(i + 1, j + 1) + 1
        : Math.max(commonLength(i + 1, j), commonLength(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ sign: " ", text: before[i] ?? "" });
      i++;
      j++;
    } else if (commonLength(i + 1, j) >= commonLength(i, j + 1)) lines.push(removed[i++] as Line);
    else lines.push(added[j++] as Line);
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

function hunks(lines: Line[]): string {
  const near = new Array<boolean>(lines.length).fill(false);
  lines.forEach(({ sign }, index) => {
    if (sign !== " ") near.fill(true, Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1));
  });
  const out: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let start = 0; start < lines.length; ) {
    let end = start + 1;
    while (end < lines.length && near[end] === near[start]) end++;
    const part = lines.slice(start, end);
    const [olds, news] = [
      part.filter(({ sign }) => sign !== "+").length,
      part.filter(({ sign }) => sign !== "-").length,
    ];
    if (near[start]) {
      out.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@`, ...part.map(({ sign, text }) => sign + text));
    }
    oldLine += olds;
    newLine += news;
    start = end;
  }
  return out.length > 0 ? `${out.join("\n")}\n` : "";
}

function range(line: number, lines: number): string {
  return `${lines === 0 ? line - 1 : line},${lines}`;
}
