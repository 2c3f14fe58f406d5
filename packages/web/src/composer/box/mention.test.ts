import { describe, expect, it } from "vitest";
import { completeMention, mentionAt } from "./mention.ts";

describe("a mention at the caret", () => {
  it("is a file after @, wherever a word may begin", () => {
    expect(mentionAt("look at @src/ra", 15)).toEqual({ kind: "file", query: "src/ra", from: 8, to: 15 });
    expect(mentionAt("@", 1)).toEqual({ kind: "file", query: "", from: 0, to: 1 });
    expect(mentionAt("(@a", 3)?.query).toBe("a");
  });

  it("is none in an address, nor after the word has ended", () => {
    expect(mentionAt("me@example.org", 14)).toBeUndefined();
    expect(mentionAt("@src/rates.ts and", 17)).toBeUndefined();
  });

  it("is a command only at the very beginning", () => {
    expect(mentionAt("/comp", 5)).toEqual({ kind: "command", query: "comp", from: 0, to: 5 });
    expect(mentionAt("see /etc", 8)).toBeUndefined();
    expect(mentionAt("/compact now", 12)).toBeUndefined();
  });

  it("is completed in place, with one space behind it", () => {
    const text = "read @ra please";
    const mention = mentionAt(text, 8);
    expect(mention && completeMention(text, mention, "src/rates.ts")).toEqual({
      text: "read @src/rates.ts please",
      caret: 19,
    });
    const command = mentionAt("/co", 3);
    expect(command && completeMention("/co", command, "compact")).toEqual({ text: "/compact ", caret: 9 });
  });
});
