import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  badargs: ["completed"],
  badjson: ["completed"],
  err401: ["failed auth"],
  err403: ["failed auth"],
  "err429-attempts1": ["failed rate_limit"],
  err429: ["failed rate_limit"],
  "err500-retries1": ["failed overloaded"],
  err500: ["failed overloaded"],
  err500once: ["completed"],
  "hang-sigint": ["failed crashed"],
  "hermetic-netns": ["completed"],
  maxtokens: ["completed"],
  multi: ["completed"],
  nokey: ["failed auth"],
  overflow: ["failed context_overflow"],
  "plain-anthropic": ["completed"],
  "plain-kimi": ["completed"],
  "resume-2": ["completed"],
  "resume-3-continue": ["completed"],
  shell: ["completed"],
  "shellslow-sigint": ["failed crashed"],
  "slow-sigint": ["failed crashed"],
  think: ["completed"],
  thinkwrite: ["completed"],
  unicode: ["completed"],
  unicode2028: ["completed"],
  unknowntool: ["completed"],
  "write-yolo": ["failed unknown"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJson, folder: join(import.meta.dirname, "fixtures"), endings });
});
