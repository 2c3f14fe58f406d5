import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { streamJson } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  drop: ["failed network"],
  empty: ["failed unknown"],
  err403: ["failed auth"],
  err429: ["failed rate_limit"],
  err429once: ["completed"],
  err500: ["failed overloaded"],
  "hang-sigint": ["failed network"],
  "key-baseurl-nosettings": ["failed auth"],
  "key-only-nosettings": ["failed network"],
  maxtokens: ["completed"],
  multi: ["completed"],
  "nokey-json": ["failed auth"],
  "plain-json": ["completed"],
  "plain-nomodel": ["completed"],
  "plain-text": ["completed"],
  plain: ["completed"],
  "prompt-flag": ["completed"],
  "resume-1": ["completed"],
  "resume-3-id": ["completed"],
  shell: ["completed"],
  shellfail: ["completed"],
  "shellslow-sigint": ["completed"],
  "slow-sigint-norelaunch": ["failed crashed"],
  "slow-sigint": ["completed"],
  "slow-sigterm-group": ["failed crashed"],
  "slow-sigterm-norelaunch": ["failed crashed"],
  "slow-sigterm": ["completed"],
  think: ["completed"],
  todo: ["completed"],
  unknowntool: ["completed"],
  "write-default-approval": ["completed"],
  "write-node20": ["completed"],
  write: ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJson, folder: join(import.meta.dirname, "fixtures"), endings });
});
