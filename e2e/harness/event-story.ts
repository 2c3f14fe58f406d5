import type { Envelope } from "@gantry/protocol";

/** Ids of every kind, from Gantry and from agents. They differ between runs and are replaced by their order of appearance. */
const IDS =
  /\b(?:ses|trn|inp|msg|gra|prc|itm|req|resp|call|toolu|sca|run|task)_[A-Za-z0-9_.:#-]+|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Measured times differ between runs. */
const TIMES = new Set(["at", "durationMs", "ttftMs", "since", "startedAt", "endedAt"]);

/**
 * Normalizes a log to lines that are equal for two runs of the same story: without times, with ids by order of
 * appearance. File changes found by git are published concurrently with the agent's events, in no fixed order; they come
 * last, as the files of each turn.
 */
export function story(events: readonly Envelope[], folders: readonly string[]): string[] {
  const names = new Map<string, string>();
  const rename = (id: string) => {
    if (!names.has(id)) names.set(id, `<${names.size + 1}>`);
    return names.get(id) ?? id;
  };
  const ordered = events.filter((event) => !isConcurrent(event)).map((event, index) => ({ ...event, seq: index + 1 }));
  const lines = ordered.map((event) => {
    let text = JSON.stringify(event, (key, value) => (TIMES.has(key) ? undefined : value));
    folders.forEach((folder, index) => {
      text = text.replaceAll(folder, `<folder ${index}>`);
    });
    return text.replace(IDS, rename);
  });
  return [...lines, ...filesOfTurns(events, rename)];
}

function isConcurrent(event: Envelope): boolean {
  return event.type === "diff.updated" || (event.type === "notice" && event.data.kind === "checkpoint");
}

/** The files of each turn, from its last `diff.updated` event. */
function filesOfTurns(events: readonly Envelope[], rename: (id: string) => string): string[] {
  const last = new Map<string, string>();
  for (const event of events) {
    const turn = event.type === "diff.updated" ? event.data.turn : undefined;
    if (turn && event.type === "diff.updated") last.set(rename(turn), JSON.stringify(event.data.files));
  }
  return [...last].map(([turn, files]) => `files of ${turn}: ${files}`).sort();
}

/** The first three differences between two stories; empty if they are equal. */
export function differences(expected: readonly string[], actual: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < Math.max(expected.length, actual.length) && found.length < 3; i++) {
    if (expected[i] !== actual[i])
      found.push(`event ${i + 1}:\n  expected ${cut(expected[i])}\n  got      ${cut(actual[i])}`);
  }
  return found;
}

function cut(text: string | undefined): string {
  if (text === undefined) return "nothing";
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
