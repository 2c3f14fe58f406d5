/**
 * A scenario written into a prompt: `[[name]]` or `[[name:argument:argument]]`. The scripted model and the fake
 * agents read the same markers, so one prompt drives either.
 */
export interface Marker {
  name: string;
  args: string[];
}

const MARKER = /\[\[([A-Za-z][\w-]*)((?::[^:\]\n]*)*)\]\]/g;

/** Markers that describe the request and do not name a scenario. */
const DIRECTIVES = new Set(["cwd"]);

/** The last scenario marker in a text, or `null` when it has none. */
export function lastMarker(text: string): Marker | null {
  return markersIn(text).findLast((marker) => !DIRECTIVES.has(marker.name)) ?? null;
}

/** The folder named by the last `[[cwd:/absolute/path]]`, or `null`. */
export function markedFolder(text: string): string | null {
  return (
    markersIn(text)
      .findLast((marker) => marker.name === "cwd")
      ?.args.join(":") ?? null
  );
}

/** An argument as a whole number that is not negative; `fallback` when it is missing or no number. */
export function numberArgument(args: readonly string[], index: number, fallback: number): number {
  const value = Number.parseInt(args[index] ?? "", 10);
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}

function markersIn(text: string): Marker[] {
  return [...text.matchAll(MARKER)].map((match) => ({
    name: match[1] as string,
    args: match[2] ? match[2].slice(1).split(":") : [],
  }));
}
