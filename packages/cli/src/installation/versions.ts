/**
 * Compares two versions: negative if `a` is older. A version with a suffix (`1.0.0-beta.2`) is older than the one without it;
 * the parts of suffixes compare as numbers where both are, else as text.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [split(a), split(b)];
  for (const at of [0, 1, 2]) {
    const difference = (x.numbers[at] ?? 0) - (y.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (x.suffix.length === 0 || y.suffix.length === 0) return y.suffix.length - x.suffix.length;
  for (let at = 0; at < Math.max(x.suffix.length, y.suffix.length); at += 1) {
    const difference = comparePart(x.suffix[at], y.suffix[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function split(version: string): { numbers: number[]; suffix: string[] } {
  const [core = "", ...rest] = version.replace(/\+.*$/, "").split("-");
  return { numbers: core.split(".").map(Number), suffix: rest.join("-").split(".").filter(Boolean) };
}

/** Fewer parts are older, and numbers are older than text. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
