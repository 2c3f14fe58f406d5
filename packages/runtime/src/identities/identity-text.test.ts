import fc from "fast-check";
import { expect, it } from "vitest";
import type { StoredIdentity } from "./identity-folder.ts";
import { identityText, LONGEST_MEMORY, LONGEST_PERSONA, memoryParts } from "./identity-text.ts";

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

it("names the identity, its memory folder and whether it may write there", () => {
  const text = identityText(
    identity({ title: "The keeper", description: "Keeps the light.", persona: "Be calm." }),
    place,
  );
  expect(text).toContain("You are The keeper (keeper), a standing worker");
  expect(text).toContain("Keeps the light.");
  expect(text).toContain("# Persona\nBe calm.");
  expect(text).toContain("/h/identities/keeper/memory");
  expect(text).toContain("It is empty so far.");
  expect(identityText(identity(), { ...place, writable: false })).toContain(
    "If they refuse, report what should be changed",
  );
});

it("truncates long memory with a notice and names the remaining files", () => {
  const parts = memoryParts([file("a.md", "x".repeat(LONGEST_MEMORY + 5)), file("b.md", "small")]);
  expect(parts.map(({ whole }) => whole)).toEqual([false, false]);
  expect(parts[0]?.text).toContain(`a.md has ${LONGEST_MEMORY + 5} characters`);
  expect(parts[1]?.text).toContain("b.md has 5 characters");
  const persona = "y".repeat(LONGEST_PERSONA * 2);
  expect(identityText(identity({ persona }), place).length).toBeLessThan(LONGEST_PERSONA + 2000);
});

it("is bounded for any memory", () => {
  const files = fc.array(fc.string({ maxLength: 20_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(files, (texts) => {
      const memory = texts.map((text, index) => file(`f${index}.md`, text));
      const text = identityText(identity({ memory }), place);
      expect(text.length).toBeLessThan(LONGEST_MEMORY + 4000);
      for (const [index, { whole }] of memoryParts(memory).entries())
        if (whole) expect(text).toContain(texts[index]?.trim() ?? "");
    }),
  );
});
