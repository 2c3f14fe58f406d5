import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { attachmentsOf } from "./attachments.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "attachments-")));
const cwd = join(root, "project");
mkdirSync(cwd);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("attaches a file in the session's folder by path, and any other by content", () => {
  writeFileSync(join(cwd, "inside.md"), "in");
  writeFileSync(join(root, "outside.png"), "out");
  symlinkSync(join(root, "outside.png"), join(cwd, "link.png"));
  const data = Buffer.from("out").toString("base64");
  expect(attachmentsOf([join(cwd, "inside.md"), join(root, "outside.png"), join(cwd, "link.png")], cwd)).toEqual([
    { path: join(cwd, "inside.md") },
    { name: "outside.png", mime: "image/png", data },
    { name: "outside.png", mime: "image/png", data },
  ]);
  expect(attachmentsOf(undefined, cwd)).toBeUndefined();
});

test("reports a missing file as a usage error", () => {
  expect(() => attachmentsOf([join(root, "none")], cwd)).toThrow("does not exist");
});
