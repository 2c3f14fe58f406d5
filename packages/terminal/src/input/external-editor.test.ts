import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { editFile, editText } from "./external-editor.ts";

const { PATH } = process.env;

test("returns the text as the user's editor, which may have arguments, left it", async () => {
  expect(await editText("remember the heron", { PATH, EDITOR: "sed -i s/heron/egret/" })).toBe("remember the egret");
  const env = { PATH, EDITOR: "false", VISUAL: "sed -i s/heron/bittern/" };
  expect(await editText("two\n\nherons", env)).toBe("two\n\nbitterns");
});

test("edits a file whose path contains spaces", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry editor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a brief.md");
  writeFileSync(file, "remember the heron\n");
  await editFile(file, { PATH, EDITOR: "sed -i s/heron/egret/" });
  expect(readFileSync(file, "utf8")).toBe("remember the egret\n");
});

test("reports a missing editor and an editor that fails", async () => {
  await expect(editText("x", { PATH })).rejects.toMatchObject({ name: "EditorError", remedy: "Set EDITOR." });
  await expect(editText("x", { PATH, EDITOR: "exit 7 #" })).rejects.toThrow("The editor exited with 7.");
});
