import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  failed: ["failed rate_limit"],
  "tool-turn": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJson, folder: join(import.meta.dirname, "fixtures"), endings });
});
