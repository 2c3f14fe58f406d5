import { describe, expect, it } from "vitest";
import { composeMessage } from "./compose.ts";

const file = (name: string) => ({ id: name, size: 2, attachment: { name, data: "aGk=" } });

describe("a draft as a message", () => {
  it("is nothing while there is nothing in it", () => {
    expect(composeMessage({ text: " \n", contexts: [] }, [])).toBeUndefined();
  });

  it("says the words first, then what was put beside them", () => {
    const contexts = [{ id: "1", title: "Button", text: "<button>" }];
    expect(composeMessage({ text: "Make it red ", contexts }, [])).toEqual({
      text: "Make it red\n\nButton:\n\n<button>",
    });
  });

  it("names files that come without words", () => {
    const composed = composeMessage({ text: "", contexts: [] }, [file("a.png"), file("b.txt")]);
    expect(composed?.text).toBe("Attached: a.png, b.txt");
    expect(composed?.attachments).toHaveLength(2);
  });
});
