import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Context } from "../program/context.ts";
import { edited } from "./editor.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry editor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = (env: Record<string, string>) => ({ env: { PATH: process.env.PATH, ...env } }) as unknown as Context;

test("a file is changed by the user's editor, which may have arguments, in a path with blanks", async () => {
  const file = join(folder, "a brief.md");
  writeFileSync(file, "remember the heron\n");
  await edited(context({ EDITOR: "sed -i s/heron/egret/" }), file);
  expect(readFileSync(file, "utf8")).toBe("remember the egret\n");
  await edited(context({ EDITOR: "false", VISUAL: "sed -i s/egret/bittern/" }), file);
  expect(readFileSync(file, "utf8")).toBe("remember the bittern\n");
});

test("a missing or failing editor is an error", async () => {
  await expect(edited(context({}), "x")).rejects.toMatchObject({ exit: 3, remedy: "Set EDITOR." });
  await expect(edited(context({ EDITOR: "exit 7 #" }), "x")).rejects.toThrow("the editor ended with 7");
});
