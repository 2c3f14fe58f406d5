import { describe, expect, it } from "vitest";
import { composeMessage } from "./compose.ts";

const file = (name: string) => ({ id: name, size: 2, attachment: { name, data: "aGk=" } });

describe("composeMessage", () => {
  it("gives no message for an empty draft", () => {
    expect(composeMessage({ text: " \n", contexts: [] }, [])).toBeUndefined();
  });

  it("puts the text before the contexts", () => {
    const contexts = [{ id: "1", title: "Button", text: "<button>" }];
    expect(composeMessage({ text: "Make it red ", contexts }, [])).toEqual({
      text: "Make it red\n\nButton:\n\n<button>",
    });
  });

  it("names the files of a draft without text", () => {
    const composed = composeMessage({ text: "", contexts: [] }, [file("a.png"), file("b.txt")]);
    expect(composed?.text).toBe("Attached: a.png, b.txt");
    expect(composed?.attachments).toHaveLength(2);
  });
});
