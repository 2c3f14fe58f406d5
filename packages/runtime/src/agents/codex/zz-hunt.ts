import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { channelFor, framesOf, recordings, replay } from "./replay.ts";

const names = recordings.filter((n) => n.includes("multi") || n.includes("subagent") || n.includes("plan"));
const cache = new Map(names.map((n) => [n, framesOf(n)]));
const garble = fc.record({
  name: fc.constantFrom(...names),
  at: fc.nat(),
  path: fc.array(fc.nat(), { maxLength: 6 }),
  value: fc.oneof(fc.jsonValue(), fc.constantFrom("__proto__", "constructor", "")),
  skip: fc.boolean(),
});
const walk = (path: number[], value: unknown, node: any, depth: number): any => {
  if (typeof node !== "object" || node === null || depth >= path.length) return value;
  const keys = Object.keys(node);
  const key = keys[path[depth]! % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const copy: any = Array.isArray(node) ? [...node] : { ...node };
  copy[key] = walk(path, value, copy[key], depth + 1);
  return copy;
};
const end = Date.now() + 200_000;
let runs = 0;
while (Date.now() < end) {
  const r = fc.check(
    fc.property(fc.array(garble, { minLength: 1, maxLength: 5 }), (gs) => {
      runs++;
      const frames: any[] = [...cache.get(gs[0]!.name)!];
      for (const { at, path, value, skip } of gs) {
        const i = at % frames.length;
        if (skip) frames.splice(i, 1);
        else if ("msg" in frames[i]) frames[i] = { dir: frames[i].dir, msg: walk(path, value, frames[i].msg, 0) };
      }
      const { state } = replay(channelFor(gs[0]!.name), frames);
      const back = JSON.parse(JSON.stringify(state));
      if (!isDeepStrictEqual(back, state))
        throw new Error(`not storable\n${JSON.stringify(state)}\n${JSON.stringify(back)}`);
    }),
    { numRuns: 3000 },
  );
  if (r.failed) {
    console.log("FOUND after", runs, "seed", r.seed);
    console.log(JSON.stringify(r.counterexample));
    console.log(String((r as any).errorInstance?.stack ?? (r as any).error).slice(0, 1500));
    break;
  }
}
console.log("runs", runs);
