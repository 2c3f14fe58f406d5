import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Page } from "./page.ts";

describe("the built-in page", () => {
  const page = new Page();

  it("is served at every path of the page, and at no other", async () => {
    for (const path of ["/", "/inbox", "/s/ses_1", "/search"]) expect(await page.find(path)).toBeDefined();
    for (const path of ["/page.html", "/s", "/s/a/b", "/http.ts", "/v1"]) expect(await page.find(path)).toBeUndefined();
  });

  it("needs nothing from elsewhere, and its own script and style are allowed by hash", async () => {
    const file = await page.find("/");
    const html = Buffer.from(file?.body ?? []).toString();
    expect(html).not.toMatch(/(src|href)=|https?:\/\//);
    const script = html.match(/<script>([\s\S]*?)<\/script>/)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(file?.headers["content-security-policy"]).toContain(`'sha256-${hash}'`);
    expect(file?.headers["content-security-policy"]).not.toContain("unsafe");
  });
});

it("is empty for a folder that is not there", async () => {
  expect(await new Page("/nowhere/at/all").find("/")).toBeUndefined();
});

it("lets the browser keep icons and hashed files, and checks the document each time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-page-"));
  mkdirSync(join(folder, "assets"));
  const names = ["index.html", "icon.svg", "robots.txt", "assets/first-view-1a2b.js"];
  for (const name of names) writeFileSync(join(folder, name), "");
  const page = new Page(folder);
  const caching = await Promise.all(
    names.map(async (name) => (await page.find(`/${name}`))?.headers["cache-control"]?.replace("public, ", "")),
  );
  expect(caching).toEqual(["no-cache", "max-age=3600", "no-cache", "max-age=31536000, immutable"]);
  rmSync(folder, { recursive: true });
});
