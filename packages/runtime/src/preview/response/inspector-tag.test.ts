import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putTag } from "./inspector-tag.ts";

const TAG = "<script></script>";
const addTag = async (...pieces: Buffer[]) => String(await buffer(Readable.from(pieces).pipe(putTag(TAG))));

describe("the tag stands before all that a document loads", () => {
  it.each([
    ["in the head", "<!doctype html><html><head>|<title>x</title>"],
    ["in a head with attributes", '<!DOCTYPE html>\n<HTML lang="en">\n<HEAD data-x>|<meta>'],
    ["where the head is left out", "<!doctype html>|<title>x</title>"],
    ["where only a body is", "|<body>x</body>"],
    ["where text is", "|hello <head>"],
    ["after comments, which may hold anything", "<!-- <head> --><!doctype html><!--> --><head>|"],
    ["not in a header", "<!doctype html>|<header>x</header>"],
    ["after a declaration of XML", '<?xml version="1.0"?><html><head>|'],
    ["after a byte order mark", "\ufeff<!doctype html>|<p>"],
    ["at the end of a document that has nothing else", "<!doctype html>|"],
    ["where a comment never ends", "<!doctype html>|<!-- x"],
  ])("%s", async (_, marked) => {
    const document = marked.replace("|", "");
    expect(await addTag(Buffer.from(document))).toBe(marked.replace("|", TAG));
  });

  it("wherever the document is cut into pieces, and no byte is lost", async () => {
    const marked =
      '\ufeff<!doctype html>\n<!-- häd <head> -->\n<html lang="en"><head class="ü">|<title>日本</title><head>';
    const bytes = Buffer.from(marked.replace("|", ""));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(await addTag(...pieces)).toBe(marked.replace("|", TAG));
      }),
    );
  });
});

it("does not wait for ever for the end of a comment", async () => {
  const stream = putTag(TAG);
  stream.write(Buffer.from(`<!doctype html><!--${"x".repeat(70_000)}`));
  expect(String(stream.read()).startsWith(`<!doctype html>${TAG}<!--`)).toBe(true);
});

it("leaves an empty document empty", async () => {
  expect(await addTag()).toBe("");
});
