import { describe, expect, it } from "vitest";
import { completeMention, mentionAt } from "./mention.ts";

describe("mentionAt", () => {
  it("finds a file after an @ at the start of a word", () => {
    expect(mentionAt("look at @src/ra", 15)).toEqual({ kind: "file", query: "src/ra", from: 8, to: 15 });
    expect(mentionAt("@", 1)).toEqual({ kind: "file", query: "", from: 0, to: 1 });
    expect(mentionAt("(@a", 3)?.query).toBe("a");
  });

  it("finds nothing in an email address or after the word has ended", () => {
    expect(mentionAt("me@example.org", 14)).toBeUndefined();
    expect(mentionAt("@src/rates.ts and", 17)).toBeUndefined();
  });

  it("finds a command only at the start of the text", () => {
    expect(mentionAt("/comp", 5)).toEqual({ kind: "command", query: "comp", from: 0, to: 5 });
    expect(mentionAt("see /etc", 8)).toBeUndefined();
    expect(mentionAt("/compact now", 12)).toBeUndefined();
  });

  it("completes a mention in place, followed by one space", () => {
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
