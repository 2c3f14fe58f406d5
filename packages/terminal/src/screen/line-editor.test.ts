import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { LineEditor } from "./line-editor.ts";

/** An editor on streams. `typed` resolves with the next submitted line. */
function openEditor(complete?: (text: string) => { matches: string[]; replaced: string }) {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  streams.output.resume();
  let submit: (text: string) => void = () => undefined;
  const editor = new LineEditor(streams, { line: (text) => submit(text), interrupt() {}, end() {}, complete });
  const type = async (keys: string) => {
    const typed = new Promise<string>((resolve) => {
      submit = resolve;
    });
    // Several keys in one chunk count as pasted text, in which Tab is a character.
    for (const key of keys) {
      streams.input.write(key);
      await setImmediate();
    }
    return typed;
  };
  return { editor, type };
}

it("replaces the end of the text with its only completion", async () => {
  const controls = ["sandbox=read-only", "style="];
  const { editor, type } = openEditor((text) => {
    const replaced = text.split(" ").at(-1) ?? "";
    return { matches: controls.filter((control) => control.startsWith(replaced)), replaced };
  });
  expect(await type("/control sa\t\r")).toBe("/control sandbox=read-only");
  expect(await type("/control s\tt\t\r")).toBe("/control style=");
  expect(await type("/control x\t\r")).toBe("/control x");
  editor.close();
});

it("ignores Tab without completions", async () => {
  const { editor, type } = openEditor();
  expect(await type("hel\tlo\r")).toBe("hello");
  editor.close();
});

const UP_AFTER_TRANSCRIPT = new RegExp(`transcript\\n[^›]*${"\\u001b"}\\[\\d+A`);

it("shows pinned lines above the input, and the typed text survives them", async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  let shown = "";
  streams.output.on("data", (chunk) => {
    shown += chunk;
  });
  const typed: string[] = [];
  const editor = new LineEditor(streams, { line: (text) => typed.push(text), interrupt() {}, end() {} });
  streams.input.write("hel");
  await setImmediate();
  editor.live(["working"], ["↳ use the other table · not read yet"]);
  expect(shown).toContain("↳ use the other table · not read yet\nworking › hel");
  streams.input.write("lo\r");
  await setImmediate();
  expect(typed).toEqual(["hello"]);
  shown = "";
  editor.commit(["a line of the transcript"]);
  // Only the pinned line and the input are erased: one row up.
  expect(shown).not.toMatch(UP_AFTER_TRANSCRIPT);
  shown = "";
  editor.live(["working"], []);
  expect(shown).not.toContain("not read yet");
  editor.close();
});
