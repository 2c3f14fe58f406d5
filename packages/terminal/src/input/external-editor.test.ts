import { expect, test } from "vitest";
import { editText } from "./external-editor.ts";

const { PATH } = process.env;

test("returns the text as the user's editor, which may have arguments, left it", async () => {
  expect(await editText("remember the heron", { PATH, EDITOR: "sed -i s/heron/egret/" })).toBe("remember the egret");
  const env = { PATH, EDITOR: "false", VISUAL: "sed -i s/heron/bittern/" };
  expect(await editText("two\n\nherons", env)).toBe("two\n\nbitterns");
});

test("reports a missing editor and an editor that fails", async () => {
  await expect(editText("x", { PATH })).rejects.toMatchObject({ name: "EditorError", remedy: "Set EDITOR." });
  await expect(editText("x", { PATH, EDITOR: "exit 7 #" })).rejects.toThrow("The editor exited with 7.");
});
