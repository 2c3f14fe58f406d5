import { describe, expect, test } from "vitest";
import { attachmentTag, diffBlock, pageHeader, pageStart, textBlock, toolBlock, userBlock } from "./index.ts";

const HOSTILE = `</style></template><script>alert(1)</script><img src=x onerror="alert(1)">`;

describe("an exported page", () => {
  test("allows no script without one, and otherwise only that script", () => {
    expect(pageStart({ title: "t" })).not.toContain("script-src");
    expect(pageStart({ title: "t", script: "run()" })).toMatch(/script-src 'sha256-[\w+/]+=+'/);
  });

  test.each([
    ["the title", pageStart({ title: HOSTILE })],
    ["a fact", pageHeader(HOSTILE, [["Folder", HOSTILE]])],
    ["a message", userBlock(HOSTILE, HOSTILE)],
    ["Markdown", textBlock(`${HOSTILE}\n\n\`\`\`\n${HOSTILE}\n\`\`\`\n\n[x](javascript:alert(1))`)],
    ["a tool call", toolBlock({ title: HOSTILE, status: "ok", figures: HOSTILE, bodyHtml: diffBlock(HOSTILE) })],
    ["the data of an image", attachmentTag({ name: HOSTILE, mime: "image/png", data: `x" onerror="alert(1)` })],
    ["the type of an image", attachmentTag({ name: "x", mime: `image/png" onload="alert(1)`, data: "eA==" })],
  ])("shows markup in %s as text", (_, html) => {
    expect(html).not.toMatch(/<script>alert|<img src=x|<\/template>|javascript:alert\(1\)"|on(error|load)="/);
  });

  test("leaves out facts without a value", () => {
    expect(pageHeader("t", [["Cost", undefined]])).not.toContain("Cost");
  });
});
