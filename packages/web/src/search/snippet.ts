import type { SearchHit } from "@gantry/protocol";

export type SnippetPart = { text: string; marked: boolean };

/** Splits a snippet into parts. Text between `[` and `]` is a match. */
export function splitSnippet(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let rest = snippet;
  while (rest !== "") {
    const start = rest.indexOf("[");
    const end = rest.indexOf("]", start + 1);
    if (start < 0 || end < 0) return [...parts, { text: rest, marked: false }];
    if (start > 0) parts.push({ text: rest.slice(0, start), marked: false });
    parts.push({ text: rest.slice(start + 1, end), marked: true });
    rest = rest.slice(end + 1);
  }
  return parts;
}

export type HitGroup = { session: string; title: string; hits: SearchHit[] };

/** Groups hits by session, in the order of each session's first hit. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = Map.groupBy(hits, (hit) => hit.session);
  return [...groups].map(([session, inside]) => ({ session, title: inside[0]?.title ?? session, hits: inside }));
}

const kinds: Record<string, string> = {
  "message.user": "You",
  "message.done": "Agent",
  "reasoning.done": "Thinking",
  "tool.started": "Tool",
  "tool.ended": "Output",
};

/** The kind of event a hit was found in. */
export function kindOf(hit: SearchHit): string {
  return kinds[hit.type] ?? hit.type.replace(".", " ");
}
