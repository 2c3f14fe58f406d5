import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

/** How each recording ends, as its own last lines (or the end of its process) say. */
const endings: Record<string, string[]> = {
  failed: ["failed rate_limit"],
  "tool-turn": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJson, folder: join(import.meta.dirname, "fixtures"), endings });
});
