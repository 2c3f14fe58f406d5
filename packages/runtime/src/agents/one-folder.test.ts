import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "./contract.ts";
import { agents, bases } from "./registry.ts";

/*
 * Adding an agent touches one folder and one line of the registry. So nothing outside of `agents/` may know an agent by
 * its name, and nothing inside may be forgotten by the registry.
 */

const packages = join(import.meta.dirname, "../../..");
const root = join(packages, "..");
/** What only people read: an example of a command, or of an id. */
const EXAMPLE = /\bgantry [a-z]|\bsuch as\b/;
/** Words that happen to be names: a cursor is a reader's place in a log, and Gantry is what all of this is. */
const WORDS = new Set(["cursor", "gantry"]);
/** Comments, so that they are passed over, and literals of every kind. */
const TOKENS = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const names = agents.map(({ id }) => id).filter((id) => !WORDS.has(id));
/** A name of its own; `&amp;` is a letter. */
const named = new RegExp(`(?<![\\w&-])(${names.toSorted((a, b) => b.length - a.length).join("|")})(?![\\w-])`);
const key = new RegExp(`[{,]\\s*(${names.filter((name) => /^\w+$/.test(name)).join("|")})\\s*:`);

describe("outside of agents/", () => {
  const sources = readdirSync(packages)
    // Models and their providers are often called as an agent is, and rules are read from files of other agents.
    .filter((name) => !["testkit", "models", "agent"].includes(name))
    .flatMap((name) => [...filesBelow(join(packages, name, "src"))])
    .filter((path) => /\.tsx?$/.test(path) && !isForTests(path) && !path.startsWith(import.meta.dirname));

  it("there is something to look at", () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it("no string and no key names an agent", () => {
    const breaches = sources.flatMap((path) => breachesIn(relative(root, path), readFileSync(path, "utf8")));
    expect(breaches).toEqual([]);
  });

  it.each([
    ['if (agent === "codex") return;', ["codex"]],
    ["const hint = `run claude first`;", ["claude"]],
    ["const table = { gemini: 1 };", ["gemini"]],
    ["const table = { 'codex-acp': 1 };", ["codex-acp"]],
    ['// as "codex" does', []],
    ['throw invalid("cursor is not one that a list gave");', []],
    ['const examples = ["gantry run -a claude"];', []],
    ['const path = "claudette/pipe";', []],
    ['const letter = "&amp;";', []],
  ])("%s", (text, expected) => {
    expect(breachesIn("x.ts", text)).toEqual(expected.map((id) => `x.ts: ${id}`));
  });
});

describe("inside of agents/", () => {
  const described = readdirSync(import.meta.dirname)
    .filter((name) => existsSync(join(import.meta.dirname, name, "descriptor.ts")))
    .map((name) => [name] as const);

  it.each(described)("%s is in the registry, under the name of its folder", async (folder) => {
    const module = (await import(`./${folder}/descriptor.ts`)) as Record<string, unknown>;
    const own = Object.values(module).filter((value): value is Agent => [...agents, ...bases].includes(value as Agent));
    expect(own.map(({ id }) => id)).toEqual([folder]);
  });

  it("the registry has nothing else", () => {
    const ids = [...agents, ...bases].map(({ id }) => id);
    expect(ids.toSorted()).toEqual(described.map(([folder]) => folder).toSorted());
  });
});

function breachesIn(path: string, text: string): string[] {
  const literals = (text.match(TOKENS) ?? []).filter((token) => !token.startsWith("/") && !EXAMPLE.test(token));
  const keys = key.exec(text.replace(TOKENS, (token) => (token.startsWith("/") ? "" : token)))?.[1];
  const found = [...literals.map((literal) => named.exec(literal)?.[1]), keys].filter((id) => id !== undefined);
  return found.map((id) => `${path}: ${id}`);
}

function isForTests(path: string): boolean {
  return /\.(?:test|fake|harness)\.tsx?$|\/test-|\/testing\/|\.gen\.ts$/.test(path);
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "fixtures") yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
