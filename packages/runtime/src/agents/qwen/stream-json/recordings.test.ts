import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  badargs: ["completed"],
  drop: ["failed network"],
  edit: ["completed"],
  empty: ["failed unknown"],
  err401: ["failed auth"],
  "err500-maxRetries0": ["failed overloaded"],
  err500: ["failed overloaded"],
  err500once: ["completed"],
  "hermetic-netns": ["completed"],
  maxtokens: ["completed"],
  multi: ["completed"],
  "nokey-authtype": ["failed auth"],
  nokey: ["failed auth"],
  overflow: ["failed context_overflow"],
  "plain-anthropic": ["completed"],
  "plain-json": ["completed"],
  "plain-partial": ["completed"],
  "resume-1": ["completed"],
  "resume-2-id": ["completed"],
  "resume-4-bad": [],
  "session-id-flag": ["completed"],
  "shellslow-sigint": ["completed"],
  "slow-sigint": ["completed"],
  "slow-sigterm-direct": ["failed crashed"],
  "slow-sigterm-group": ["failed crashed"],
  "stdin-streamjson-allow": ["completed"],
  "stdin-streamjson-deny": ["completed"],
  "stdin-streamjson-interrupt": ["interrupted", "completed"],
  think: ["completed"],
  "thinkwrite-partial": ["completed"],
  thinkwrite: ["completed"],
  todo: ["completed"],
  unicode: ["completed"],
  unicode2028: ["completed"],
  "write-auto-edit": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJson, folder: join(import.meta.dirname, "fixtures"), endings });
});
