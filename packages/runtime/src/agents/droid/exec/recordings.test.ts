import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { exec } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  ask: ["completed"],
  badargs: ["completed"],
  badjson: ["completed"],
  empty: ["failed unknown"],
  err401: ["failed auth"],
  err429: ["failed rate_limit"],
  err500: ["failed crashed"],
  err500once: ["completed"],
  "fakekey-baseurl": ["completed"],
  "hang-sigint": ["failed crashed"],
  "list-tools": ["completed"],
  maxtokens: ["failed crashed"],
  multi: ["completed"],
  "nokey-nomodel": ["failed auth"],
  overflow: ["failed context_overflow"],
  "plain-anthropic": ["completed"],
  "plain-fakekey-baseurl": ["completed"],
  "plain-fakekey": ["completed"],
  "plain-nologin": ["completed"],
  plain: ["completed"],
  "resume-1": ["completed"],
  "resume-2": [],
  "resume-2b-nomodel": [],
  "resume-2d-fork": ["completed"],
  "resume-2e-baseurl": ["completed"],
  "shell-readonly-cleansettings": ["completed"],
  shell: ["completed"],
  shellfail: ["completed"],
  "shellslow-sigint": ["completed"],
  "slow-sigint": ["failed crashed"],
  "slow-sigterm": ["failed crashed"],
  think: ["completed"],
  todo: ["completed"],
  unicode2028: ["completed"],
  unknowntool: ["completed"],
  "v0215-write": ["completed"],
  write: ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: exec, folder: join(import.meta.dirname, "fixtures"), endings });
});
