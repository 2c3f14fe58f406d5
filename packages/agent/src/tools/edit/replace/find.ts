import { distance } from "fastest-levenshtein";
import { indentOf, plainLine, reindentLines } from "./normalize.ts";

/** A place in the text and its replacement. */
export type Place = { start: number; end: number; replacement: string; how: "exact" | "plain" | "similar" };

/** Finds `oldText`: exactly, else line by line ignoring spaces and typographic characters, else approximately. */
export function findPlaces(text: string, oldText: string, newText: string, threshold: number): Place[] {
  const exact = exactPlaces(text, oldText, newText);
  if (exact.length > 0 || threshold > 1) return exact;
  const lines = text.split("\n");
  const wanted = oldText.replace(/\n$/, "").split("\n");
  const plain = lines.map(plainLine);
  const target = wanted.map(plainLine);
  if (target.every((line) => line === "")) return [];
  const same = windows(plain, target).filter((at) => target.every((line, index) => plain[at + index] === line));
  const found = same.length > 0 ? same : findSimilar(plain, target, threshold);
  const how = same.length > 0 ? "plain" : "similar";
  return found.map((at) => placeOf(lines, at, wanted, newText.replace(/\n$/, ""), how));
}

function exactPlaces(text: string, oldText: string, newText: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + oldText.length)) {
    places.push({ start: at, end: at + oldText.length, replacement: newText, how: "exact" });
  }
  return places;
}

function windows(lines: readonly string[], target: readonly string[]): number[] {
  const last = lines.length - target.length;
  return Array.from({ length: Math.max(0, last + 1) }, (_, at) => at);
}

/** The most similar windows above the threshold; several only if they are equally similar. */
function findSimilar(plain: readonly string[], target: readonly string[], threshold: number): number[] {
  const wanted = target.join("\n");
  let best: { score: number; at: number[] } = { score: threshold, at: [] };
  for (const at of windows(plain, target)) {
    if (!isWorthComparing(plain, target, at)) continue;
    const candidate = plain.slice(at, at + target.length).join("\n");
    const longest = Math.max(candidate.length, wanted.length);
    if (Math.min(candidate.length, wanted.length) / longest < best.score) continue;
    const score = 1 - distance(candidate, wanted) / longest;
    if (score > best.score || (score === best.score && best.at.length === 0)) best = { score, at: [at] };
    else if (score === best.score) best.at.push(at);
  }
  return best.at;
}

/** Comparing letters is expensive: in a long passage half of the lines must be equal. */
function isWorthComparing(plain: readonly string[], target: readonly string[], at: number): boolean {
  if (target.length < 3) return true;
  let equal = 0;
  for (let index = 0; index < target.length; index++) if (plain[at + index] === target[index]) equal++;
  return equal * 2 >= target.length;
}

function placeOf(
  lines: readonly string[],
  at: number,
  wanted: readonly string[],
  newText: string,
  how: "plain" | "similar",
): Place {
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  const found = lines.slice(at, at + wanted.length);
  const first = wanted.findIndex((line) => line.trim() !== "");
  const moved = reindentLines(newText.split("\n"), indentOf(wanted[first]!), indentOf(found[first]!));
  return { start, end: start + found.join("\n").length, replacement: moved.join("\n"), how };
}
