import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { print } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  "cli/not-logged-in": ["failed auth"],
  "cli/partial": ["completed"],
  "cli/whole": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: print, folder: join(import.meta.dirname, "fixtures"), endings });
});
