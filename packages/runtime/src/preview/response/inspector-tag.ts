import { Transform } from "node:stream";

/** The longest text before a document's head. After that many characters the tag is inserted in any case. */
const MOST_BEFORE = 64 * 1024;
/** What may precede the first element of the head: white space, comments, the doctype, the html and head tags. */
const BEFORE = /^(?:\s+|<!--[\s\S]*?-->|<![a-z][^>]*>|<\?[^>]*>|<html(?:\s[^>]*)?>)/i;
const HEAD = /^<head(?:\s[^>]*)?>/i;
/** The start of one of these whose end has not been received yet. */
const UNFINISHED = /^(?:\xef?\xbb?$|<$|<!(?:-|--[\s\S]*|[a-z][^>]*)?$|<\?[^>]*$|<h[a-z]{0,3}(?:\s[^>]*)?$)/i;
const BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** Inserts `tag` into a streamed HTML document, before anything that the document loads. */
export function putTag(tag: string): Transform {
  let held: string | undefined = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held === undefined) return done(null, chunk);
      // Latin-1 preserves every byte, and the search is for ASCII only.
      held += chunk.toString("latin1");
      const { place, open } = endOfPrefix(held);
      if (open && held.length < MOST_BEFORE) return done();
      const document = withTag(held, place, tag);
      held = undefined;
      done(null, document);
    },
    flush(done) {
      if (held) this.push(withTag(held, endOfPrefix(held).place, tag));
      done();
    },
  });
}

/** Where the tag belongs; `open` while more of the document may move that place. */
function endOfPrefix(text: string): { place: number; open: boolean } {
  let place = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  for (;;) {
    const rest = text.slice(place);
    const head = HEAD.exec(rest);
    if (head) return { place: place + head[0].length, open: false };
    const before = BEFORE.exec(rest);
    if (!before) return { place, open: UNFINISHED.test(rest) };
    place += before[0].length;
  }
}

function withTag(text: string, place: number, tag: string): Buffer {
  return Buffer.from(text.slice(0, place) + tag + text.slice(place), "latin1");
}
