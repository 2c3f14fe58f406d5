import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Blocks, parseBlock, splitBlocks } from "./blocks.ts";
import { imageSource, safeUrl } from "./safe-url.ts";

const pieces = fc.array(
  fc.constantFrom(
    "# Title\n",
    "word ",
    "**bold** ",
    "\n",
    "\n\n",
    "- item\n",
    "  more\n",
    "1. one\n",
    "```ts\n",
    "```\n",
    "> quote\n",
    "| a | b |\n",
    "|---|---|\n",
    "<b>html</b>\n",
    "\r\n",
    "    code\n",
    "---\n",
    "[x]: http://x\n",
  ),
  { maxLength: 40 },
);

describe("splitBlocks", () => {
  it("loses nothing, and gives a streamed text the blocks of the whole text", () => {
    fc.assert(
      fc.property(pieces, (deltas) => {
        let streamed: Blocks | undefined;
        let text = "";
        for (const delta of deltas) {
          text += delta;
          streamed = splitBlocks(text, streamed);
        }
        if (!streamed) return;
        const whole = text.replace(/\r\n?/g, "\n");
        expect(streamed.blocks.map((block) => block.raw).join("")).toBe(
          splitBlocks(text)
            .blocks.map((block) => block.raw)
            .join(""),
        );
        expect(streamed.text).toBe(whole);
        expect(streamed.blocks.map(({ type, raw }) => [type, raw.trim()])).toEqual(
          splitBlocks(text).blocks.map(({ type, raw }) => [type, raw.trim()]),
        );
      }),
    );
  });

  it("reuses finished blocks", () => {
    const before = splitBlocks("# One\n\nTwo\n\nThr");
    const after = splitBlocks("# One\n\nTwo\n\nThree", before);
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks.at(-1)?.raw).toBe("Three");
  });

  it("parses adversarial input quickly or shows it unformatted", () => {
    for (const nasty of [
      "[".repeat(50_000),
      "*a ".repeat(20_000),
      "`".repeat(50_000),
      "<a ".repeat(20_000),
      "![".repeat(20_000),
      "> ".repeat(2000),
    ]) {
      const started = performance.now();
      const { blocks } = splitBlocks(nasty);
      expect(blocks.map((block) => block.raw).join("")).toBe(nasty);
      for (const block of blocks) parseBlock(block);
      // The deadline catches hangs: without limits the worst of these takes minutes.
      expect(performance.now() - started).toBeLessThan(20_000);
    }
  });
});

describe("links", () => {
  it.each([
    ["https://example.org/a", "web"],
    ["mailto:a@example.org", "web"],
    ["http://localhost:5173/", "local"],
    ["http://127.0.0.1:8080/x", "local"],
    ["http://app.localhost:3000", "local"],
    ["http://a.b.localhost:3000", "local"],
    ["http://0.0.0.0:3000", "local"],
    ["http://[::]:3000", "local"],
    ["https://localhost:3000", "web"],
    ["http://localhost.example.org", "web"],
    ["javascript:alert(1)", "refused"],
    ["JaVaScRiPt:alert(1)", "refused"],
    [" java\nscript:alert(1)", "refused"],
    ["data:text/html,<script>1</script>", "refused"],
    ["vbscript:x", "refused"],
    ["file:///etc/passwd", "refused"],
    ["//example.org", "refused"],
    ["src/a.ts", "refused"],
  ])("%s is %s", (href, kind) => expect(safeUrl(href).kind).toBe(kind));

  it("allow images only from the text itself and the session's folder", () => {
    expect(imageSource("data:image/png;base64,AAAA")).toEqual({ src: "data:image/png;base64,AAAA" });
    expect(imageSource("out/chart 1.png")).toEqual({ path: "out/chart 1.png" });
    for (const src of [
      "https://evil.example/x.png",
      "//evil.example/x.png",
      "data:image/svg+xml,<svg onload=1>",
      "javascript:1",
    ])
      expect(imageSource(src)).toBeUndefined();
  });
});
