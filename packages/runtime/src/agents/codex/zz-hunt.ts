import fc from "fast-check";
import { channelFor, framesOf, launch, recordings, replay } from "./replay.ts";
const cache = new Map(recordings.map((n) => [n, framesOf(n)]));
const garble = fc.record({ name: fc.constantFrom(...recordings), at: fc.nat(), path: fc.array(fc.nat(), { maxLength: 7 }), value: fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>("__proto__", "constructor", "", { toString: null, valueOf: null, length: -1 }, [[]])), skip: fc.integer({ min: 0, max: 3 }).map((x) => x === 0) });
const walk = (path: number[], value: unknown, node: any, depth: number): any => { if (typeof node !== "object" || node === null || depth >= path.length) return value; const keys = Object.keys(node); const key = keys[path[depth]! % Math.max(1, keys.length)]; if (key === undefined) return value; const copy: any = Array.isArray(node) ? [...node] : { ...node }; copy[key] = walk(path, value, copy[key], depth + 1); return copy; };
const end = Date.now() + 300_000; let runs = 0, failed = 0;
while (Date.now() < end) {
  const r = fc.check(fc.property(fc.array(garble, { minLength: 1, maxLength: 8 }), (gs) => {
    runs++;
    const frames: any[] = [...cache.get(gs[0]!.name)!];
    for (const { at, path, value, skip } of gs) { if (!frames.length) break; const i = at % frames.length; if (skip) frames.splice(i, 1); else if ("msg" in frames[i]) frames[i] = { dir: frames[i].dir, msg: walk(path, value, frames[i].msg, 0) }; }
    const c = channelFor(gs[0]!.name);
    const plain = JSON.stringify(replay(c, frames).outputs);
    if (plain !== JSON.stringify(replay(c, frames, launch, (x) => JSON.parse(JSON.stringify(x))).outputs)) throw new Error("stored state goes on differently");
  }), { numRuns: 3000 });
  if (r.failed) { failed++; console.log("FOUND after", runs, "seed", r.seed, JSON.stringify(r.counterexample)); console.log(String((r as any).errorInstance?.stack).slice(0, 900)); break; }
}
console.log("runs", runs, "failures", failed);
