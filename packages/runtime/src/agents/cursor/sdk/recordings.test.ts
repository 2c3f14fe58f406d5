import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { print } from "../print/channel.ts";
import { sdk } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  err: ["failed rate_limit"],
  plain: ["completed"],
  resume: ["completed", "completed"],
  slow: ["interrupted"],
  think: ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: sdk, folder: join(import.meta.dirname, "fixtures"), endings, others: [print] });
});
