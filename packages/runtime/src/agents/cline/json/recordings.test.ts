import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { json } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  "json-nokey": ["failed crashed"],
  "json-plain-openai-compatible": ["completed"],
  "json-plain": ["completed"],
  "json-shell": ["completed"],
  "json-slow-sigint": ["failed crashed"],
  "json-think": ["completed"],
  "json-write-noapprove": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: json, folder: join(import.meta.dirname, "fixtures"), endings });
});
