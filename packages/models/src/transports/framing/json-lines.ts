import type { RawFrame } from "../transport.ts";

/** One JSON document per line. The last line may lack its LF. */
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
