import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { json } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  "hermetic-netns": ["completed"],
  "json-err401": ["failed auth"],
  "json-err429once": ["completed"],
  "json-multi": ["completed"],
  "json-nokey": ["failed auth"],
  "json-overflow": ["failed context_overflow"],
  "json-think": ["completed"],
  "json-write-noallow": ["completed"],
  "json-write": ["completed"],
  "native-slow-sigterm": ["interrupted"],
};

/** The key was `x`, and Copilot redacts its key everywhere, even in the types of its lines. */
const raws = { "hermetic-netns": ["unknown line", "unknown line"] };

describe("recordings", () => {
  describeRecordings({ channel: json, folder: join(import.meta.dirname, "fixtures"), endings, raws });
});
