import fc from "fast-check";
import { expect, it } from "vitest";
import type { StoredIdentity } from "./identity-folder.ts";
import { LONGEST_MEMORY, LONGEST_PERSONA, memoryParts, wordsOf } from "./identity-text.ts";

const file = (name: string, text: string) => ({ name, text, size: text.length, updatedAt: "2026-01-01T00:00:00.000Z" });
const identity = (more: Partial<StoredIdentity> = {}): StoredIdentity => ({
  name: "keeper",
  agent: "a",
  role: "worker",
  mode: "ask",
  folder: "/h/identities/keeper",
  persona: "",
  memory: [],
  ...more,
});
const place = { memoryFolder: "/h/identities/keeper/memory", writable: true };

it("the words say who it is, where its memory lies and whether it may write there", () => {
  const words = wordsOf(identity({ title: "The keeper", description: "Keeps the light.", persona: "Be calm." }), place);
  expect(words).toContain("You are The keeper (keeper), a standing worker");
  expect(words).toContain("Keeps the light.");
  expect(words).toContain("# Persona\nBe calm.");
  expect(words).toContain("/h/identities/keeper/memory");
  expect(words).toContain("It is empty so far.");
  expect(wordsOf(identity(), { ...place, writable: false })).toContain("if they refuse, say what should be changed");
});

it("what is too long is cut with a word, and the files after it are named", () => {
  const parts = memoryParts([file("a.md", "x".repeat(LONGEST_MEMORY + 5)), file("b.md", "small")]);
  expect(parts.map(({ whole }) => whole)).toEqual([false, false]);
  expect(parts[0]?.text).toContain(`a.md has ${LONGEST_MEMORY + 5} characters`);
  expect(parts[1]?.text).toContain("b.md has 5 characters");
  const persona = "y".repeat(LONGEST_PERSONA * 2);
  expect(wordsOf(identity({ persona }), place).length).toBeLessThan(LONGEST_PERSONA + 2000);
});

it("the words are bounded, whatever is remembered", () => {
  const files = fc.array(fc.string({ maxLength: 20_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(files, (texts) => {
      const memory = texts.map((text, index) => file(`f${index}.md`, text));
      const words = wordsOf(identity({ memory }), place);
      expect(words.length).toBeLessThan(LONGEST_MEMORY + 4000);
      for (const [index, { whole }] of memoryParts(memory).entries())
        if (whole) expect(words).toContain(texts[index]?.trim() ?? "");
    }),
  );
});
