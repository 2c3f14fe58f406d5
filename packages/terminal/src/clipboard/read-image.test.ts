import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClipboardProgram, PIXEL, writeFakeClipboard } from "./clipboard-programs.fake.ts";
import { readClipboardImage } from "./read-image.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gantry-clipboard-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CASES: [ClipboardProgram, NodeJS.Platform, Record<string, string>][] = [
  ["wl-paste", "linux", { WAYLAND_DISPLAY: "wayland-0" }],
  ["xclip", "linux", { DISPLAY: ":0" }],
  ["pngpaste", "darwin", {}],
  ["osascript", "darwin", {}],
  ["powershell.exe", "linux", { WSL_DISTRO_NAME: "Debian" }],
];

describe.each(CASES)("with %s on %s", (program, platform, variables) => {
  const place = () => ({ env: { ...variables, PATH: `${folder}:/usr/bin:/bin` }, platform });
  const onlyFolder = () => ({ env: { ...variables, PATH: folder }, platform });

  it("reads the image", async () => {
    writeFakeClipboard(folder, [program]);
    expect(await readClipboardImage(place())).toEqual({ data: PIXEL, mimeType: "image/png" });
  });

  it("reports that there is no image", async () => {
    writeFakeClipboard(folder, [program], "text");
    expect(await readClipboardImage(place())).toEqual({ problem: "There is no image on the clipboard." });
  });

  it("names the program to install", async () => {
    expect(await readClipboardImage(onlyFolder())).toEqual({ problem: expect.stringContaining(program) });
  });
});

it("uses the next program when the first one has no image", async () => {
  writeFakeClipboard(folder, ["xclip"]);
  const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" };
  expect(await readClipboardImage({ env, platform: "linux" })).toEqual({ data: PIXEL, mimeType: "image/png" });
});

it("reports that there is no clipboard without a display", async () => {
  const read = await readClipboardImage({ env: { PATH: folder }, platform: "linux" });
  expect(read).toEqual({ problem: expect.stringContaining("There is no clipboard here") });
});
