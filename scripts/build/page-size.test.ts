import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { root } from "../steps.ts";

const page = join(root, "dist/page");
const read = (path: string) => readFileSync(join(page, path), "utf8");
const BUDGET = 250_000;

/** The scripts of the document and all of their static imports. */
function initialScripts(): Set<string> {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, target] of read(path).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(`assets/${target}`);
  };
  for (const [, path = ""] of read("index.html").matchAll(/(?:src|href)="\/((?:assets\/)?[^"]+\.js)"/g)) visit(path);
  return found;
}

// `npm test` builds the page first; a single test file does not.
describe.skipIf(!existsSync(page))("the built page", needs({ reason: "The page is not built. Run npm test." }), () => {
  it("needs no more than 250 kB of compressed script to start", () => {
    const scripts = [...initialScripts()];
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = scripts.reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
    expect(bytes).toBeLessThan(BUDGET);
  });

  it("loads no schema before the first paint", () => {
    for (const path of initialScripts()) expect(read(path)).not.toContain("invalid_type");
  });

  it("paints a session with one script, one style sheet and requests that its first lines send", () => {
    const html = read("index.html");
    expect(html.match(/assets\/[\w-]+\.css/g)).toHaveLength(1);
    // The second script is the bundler's runtime, of a few hundred bytes.
    expect(initialScripts().size).toBeLessThanOrEqual(2);
    expect(html.indexOf("/events?tail=")).toBeLessThan(html.indexOf("assets/"));
  });

  it("has one inline script and no other inline code, and no resource from another origin", () => {
    const html = read("index.html");
    expect(html.match(/<script(?![^>]*\bsrc=)[^>]*>/g)).toEqual(["<script>"]);
    expect(html).not.toMatch(/<style|\son\w+=|style=/);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
