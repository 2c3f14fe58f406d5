import { createHash } from "node:crypto";
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
