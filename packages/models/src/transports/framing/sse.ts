import type { RawFrame } from "./raw-frame.ts";

/**
 * Server-sent events. Feed it text as it comes; it gives the events that are complete. `flush` gives the one that the
 * stream broke off behind, where its line ended: some servers leave out the last empty line.
 */
export class SseDecoder {
  #rest = "";
  #event = "";
  #data: string[] = [];

  push(text: string): RawFrame[] {
    const frames: RawFrame[] = [];
    this.#rest += text;
    let from = 0;
    for (;;) {
      const end = lineEnd(this.#rest, from);
      if (!end) break;
      this.#line(this.#rest.slice(from, end.at), frames);
      from = end.next;
    }
    this.#rest = this.#rest.slice(from);
    return frames;
  }

  flush(): RawFrame[] {
    const frames: RawFrame[] = [];
    if (this.#rest) this.#line(this.#rest.replace(/\r$/, ""), frames);
    this.#rest = "";
    this.#line("", frames);
    return frames;
  }

  #line(line: string, frames: RawFrame[]): void {
    if (line === "") {
      if (this.#data.length > 0) frames.push({ event: this.#event, data: this.#data.join("\n") });
      this.#event = "";
      this.#data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
  }
}

/** Lines end at LF, CR or both. A CR that is the last so far may have its LF still to come. */
function lineEnd(text: string, from: number): { at: number; next: number } | undefined {
  const lf = text.indexOf("\n", from);
  const cr = text.indexOf("\r", from);
  if (cr >= 0 && (lf < 0 || cr < lf)) {
    if (cr === text.length - 1) return undefined;
    return { at: cr, next: text[cr + 1] === "\n" ? cr + 2 : cr + 1 };
  }
  return lf < 0 ? undefined : { at: lf, next: lf + 1 };
}
