import fc from "fast-check";
import { expect, it } from "vitest";
import { fakeLog } from "./log-reader.fake.ts";
import { readTranscript, type TranscriptEntry, type TranscriptPage } from "./transcript.ts";

/** Texts of all lengths, also longer than a page and with characters of two units. */
const texts = fc.array(fc.string({ minLength: 1, maxLength: 40, unit: "binary" }).map(repeat), { maxLength: 40 });
const maxChars = fc.integer({ min: 500, max: 4000 });
/** The note about a text that is cut, and the least of it that is shown. */
const MARGIN = 240;

function repeat(text: string): string {
  return `x${text.repeat(1 + (text.charCodeAt(0) % 90))}`;
}

async function readAll(
  next: (page: TranscriptPage | undefined) => Promise<TranscriptPage> | undefined,
): Promise<TranscriptPage[]> {
  const pages: TranscriptPage[] = [];
  for (let reading = next(undefined); reading !== undefined; reading = next(pages.at(-1))) pages.push(await reading);
  return pages;
}

function check(
  given: readonly string[],
  most: number,
  pages: readonly TranscriptPage[],
  entries: TranscriptEntry[],
): void {
  expect(entries.map(({ seq }) => seq)).toEqual(given.map((_, at) => 2 * at + 1));
  for (const page of pages)
    expect(page.entries.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(most + MARGIN);
  for (const [at, { text }] of entries.entries()) {
    const whole = given[at] ?? "";
    if (text === whole) continue;
    const [, shown = "", left = ""] = /^([\s\S]*)… \((\d+) more characters\)$/.exec(text) ?? [];
    expect(whole.startsWith(shown)).toBe(true);
    expect(shown.length + Number(left)).toBe(whole.length);
    expect(shown.isWellFormed() || !whole.isWellFormed()).toBe(true);
  }
}

it("reads every entry once, backwards and forwards, in pages of limited size", async () => {
  await fc.assert(
    fc.asyncProperty(texts, maxChars, async (given, most) => {
      const log = fakeLog(given);
      const back = await readAll((page) => {
        if (page && page.older === undefined) return undefined;
        return readTranscript(log, "ses_a", { maxChars: most, before: page?.older });
      });
      check(
        given,
        most,
        back,
        back.toReversed().flatMap(({ entries }) => entries),
      );
      const forth = await readAll((page) => {
        if (page && page.newer === undefined) return undefined;
        return readTranscript(log, "ses_a", { maxChars: most, after: page?.newer ?? 0 });
      });
      check(
        given,
        most,
        forth,
        forth.flatMap(({ entries }) => entries),
      );
    }),
  );
});
