import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Channel } from "../../agents/contract.ts";
import { isSlashCommand, withPreface } from "../engine/prompts.ts";
import { composePreface, listFiles, loadAttachments, promptAsText } from "./compose-prompt.ts";

const folder = mkdtempSync(join(tmpdir(), "compose-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const channel = (takes: Channel["takes"] = {}) => ({ takes }) as Channel<never>;
const skill = { name: "release", description: "Makes a release.", path: "/skills/release" };

describe("slash commands", () => {
  it.each(["/compact", "/model gpt-5", "/review:deep now", "/a\nb"])("%j is one", (text) => {
    expect(isSlashCommand(text)).toBe(true);
  });

  it.each(["/usr/bin/env is missing", "/ what", "//", "look at /compact", "/1", ""])("%j is none", (text) => {
    expect(isSlashCommand(text)).toBe(false);
  });

  it("go to the agent unchanged, without a preface", () => {
    expect(withPreface("/compact", "Before.")).toBe("/compact");
    expect(withPreface("hello", "Before.")).toBe("Before.\n\nhello");
    expect(promptAsText("/compact", [{ path: "/w/a" }], () => "")).toBe("/compact");
  });
});

describe("the preface", () => {
  const kit = { instructions: "Be brief.", servers: [], skills: [skill] };

  it("contains the parts of the kit that the channel does not pass natively", () => {
    expect(composePreface(channel(), { kit })).toBe(
      "<context>\nBe brief.\n\nSkills that may help. Before you use one, read its file:\n- release: Makes a release. (/skills/release/SKILL.md)\n</context>",
    );
    expect(composePreface(channel({ instructions: true }), { kit })).not.toContain("Be brief.");
    expect(composePreface(channel({ instructions: true, skills: true }), { kit })).toBeUndefined();
    const newer = channel({ instructions: true, skills: true, skillsSince: "0.148" });
    expect(composePreface(newer, { kit, version: "0.130.0" })).toContain("- release: Makes a release.");
    expect(composePreface(newer, { kit, version: "0.148.0" })).toBeUndefined();
  });

  it("lists the folder for agents that do not look, and ends with the brief", () => {
    const at = { cwd: "/w", files: ["a.ts", "b/c.ts"], more: 7 };
    const text = composePreface(channel(), { kit: { servers: [], skills: [] }, folder: at, brief: "So far: x" });
    expect(text).toBe(
      "<context>\nYou work in /w. Read and write files there. Files in it:\na.ts\nb/c.ts\n(and 7 more)\n</context>\n\nSo far: x",
    );
  });
});

describe("attachments", () => {
  it("get the bytes of images on disk; other files stay paths", () => {
    const picture = join(folder, "p.PNG");
    writeFileSync(picture, PNG);
    expect(loadAttachments([{ path: picture }])).toEqual([
      { path: picture, mime: "image/png", data: PNG.toString("base64") },
    ]);
    expect(loadAttachments([{ path: "/w/a.ts" }, { path: "/gone.png" }])).toEqual([
      { path: "/w/a.ts" },
      { path: "/gone.png", mime: "image/png" },
    ]);
  });

  it("as text: files become paths, texts are inlined, other data is written to disk", () => {
    const placed: string[] = [];
    const place = ({ name }: { name: string }) => {
      placed.push(name);
      return `/given/${name}`;
    };
    const text = Buffer.from("grün").toString("base64");
    const files = [
      { path: "/w/a.ts" },
      { name: "n.txt", data: text },
      { name: "../p.png", mime: "image/png", data: "AAAA" },
    ];
    expect(promptAsText("look", files, place)).toBe(
      "look\n\nAttached file: /w/a.ts\n\nAttached file n.txt:\ngrün\n\nAttached file: /given/3-p.png",
    );
    expect(placed).toEqual(["3-p.png"]);
  });
});

it("lists the files of a folder without git, hidden ones and packages left out", async () => {
  const root = join(folder, "plain");
  for (const path of ["src/deep/er/est", "node_modules/x", ".hidden"]) mkdirSync(join(root, path), { recursive: true });
  for (const path of ["a.md", "src/b.ts", "src/deep/er/c.ts", "node_modules/x/i.js", ".hidden/z"]) {
    writeFileSync(join(root, path), "");
  }
  expect(await listFiles(root)).toEqual({ files: ["a.md", "src/b.ts", "src/deep/er/"], more: 0 });
  expect(await listFiles(join(root, "none"))).toEqual({ files: [], more: 0 });
});
