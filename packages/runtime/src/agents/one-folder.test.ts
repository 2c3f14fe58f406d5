import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "./contract.ts";
import { builtInAgents, profileBases } from "./registry.ts";

/**
 * Adding an agent takes one folder and one registry entry. So no code outside `agents/` may name an agent, and every
 * folder inside must be registered.
 */

const packages = join(import.meta.dirname, "../../..");
const root = join(packages, "..");
/** Text for the user only: an example of a command or an id. */
const EXAMPLE = /\bgantry [a-z]|\bsuch as\b/;
/** Common terms that are also agent names: a log cursor, and Gantry itself. */
const COMMON_TERMS = new Set(["cursor", "gantry"]);
/** An import of the package that contains the scripted model and agent. */
const PACKAGE = "@gantry/scripted";
/** Matches comments (which are skipped) and literals of every kind. */
const TOKENS = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

const names = builtInAgents.map(({ id }) => id).filter((id) => !COMMON_TERMS.has(id));
/** A whole name; `&amp;` is an HTML entity. */
const named = new RegExp(`(?<![\\w&-])(${names.toSorted((a, b) => b.length - a.length).join("|")})(?![\\w-])`);
const key = new RegExp(`[{,]\\s*(${names.filter((name) => /^\w+$/.test(name)).join("|")})\\s*:`);

describe("outside agents/", () => {
  const sources = readdirSync(packages)
    // Models and providers share names with agents, rules are read from other agents' files, and `scripted` is an agent.
    .filter((name) => !["testkit", "scripted", "models", "agent"].includes(name))
    .flatMap((name) => [...filesBelow(join(packages, name, "src"))])
    .filter((path) => /\.tsx?$/.test(path) && !isForTests(path) && !path.startsWith(import.meta.dirname));

  it("finds source files", () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it("no string literal and no key names an agent", () => {
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

describe("inside agents/", () => {
  const described = readdirSync(import.meta.dirname)
    .filter((name) => existsSync(join(import.meta.dirname, name, "descriptor.ts")))
    .map((name) => [name] as const);

  it.each(described)("%s is registered under the name of its folder", async (folder) => {
    const module = (await import(`./${folder}/descriptor.ts`)) as Record<string, unknown>;
    const own = Object.values(module).filter((value): value is Agent =>
      [...builtInAgents, ...profileBases].includes(value as Agent),
    );
    expect(own.map(({ id }) => id)).toEqual([folder]);
  });

  it("the registry contains no other agent", () => {
    const ids = [...builtInAgents, ...profileBases].map(({ id }) => id);
    expect(ids.toSorted()).toEqual(described.map(([folder]) => folder).toSorted());
  });
});

function breachesIn(path: string, text: string): string[] {
  const literals = (text.match(TOKENS) ?? []).filter(
    (token) => !token.startsWith("/") && !EXAMPLE.test(token) && token !== `"${PACKAGE}"`,
  );
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
