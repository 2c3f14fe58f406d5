import type { RawFrame } from "./raw-frame.ts";

/** One JSON text a line. The last line counts without its LF too. */
export class JsonLinesDecoder {
  #rest = "";

  push(text: string): RawFrame[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "").map((data) => ({ event: "", data }));
  }

  flush(): RawFrame[] {
    const data = this.#rest.trim();
    this.#rest = "";
    return data === "" ? [] : [{ event: "", data }];
  }
}
