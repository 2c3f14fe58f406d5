import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../json-lines/recordings.fake.ts";
import { json, rpc } from "./channels.ts";

const folder = join(import.meta.dirname, "fixtures");
const isRpc = (name: string) => name.includes("/rpc-");

/** The expected end of each turn, by recording, from its last lines or the exit of its process. */
const rpcEndings: Record<string, string[]> = {
  "0.75.1/rpc-err401": ["failed auth"],
  "0.75.1/rpc-text": ["completed"],
  "0.79.10/rpc-abort": ["interrupted"],
  "0.79.10/rpc-text": ["completed"],
  "0.79.10/rpc-write": ["completed"],
  "1.5.0/rpc-write": ["completed"],
  "0.73.1/rpc-abort-shell": ["interrupted"],
  "0.73.1/rpc-abort": ["interrupted", "completed"],
  "0.73.1/rpc-basic": ["completed"],
  "0.73.1/rpc-compact": ["completed"],
  "0.73.1/rpc-err429once": ["completed"],
  "0.73.1/rpc-multi": ["completed"],
  "0.73.1/rpc-perm-allow": ["completed"],
  "0.73.1/rpc-perm-cancel": ["completed"],
  "0.73.1/rpc-perm-deny": ["completed"],
  "0.73.1/rpc-resume-2": ["completed"],
  "0.87.1/rpc-basic": ["completed"],
  "0.87.1/rpc-busy-steer": ["completed"],
  "0.87.1/rpc-compact": ["completed"],
  "0.87.1/rpc-err429once": ["completed"],
  "0.87.1/rpc-multi": ["completed"],
  "0.87.1/rpc-overflow": ["completed", "failed context_overflow"],
  "0.87.1/rpc-perm-allow": ["completed"],
  "0.87.1/rpc-perm-cancel": ["completed"],
  "0.87.1/rpc-resume-2": ["completed"],
  "0.87.1/rpc-write": ["completed"],
};

/** Responses to invalid requests, which the recordings include on purpose. */
const refusal = "an error for an unknown request";
const raws = {
  "0.73.1/rpc-basic": [refusal, refusal, refusal],
  "0.87.1/rpc-basic": [refusal, refusal],
};

describe("rpc", () => {
  describeRecordings({ channel: rpc, folder, mine: isRpc, endings: rpcEndings, raws, others: [json] });
});

const jsonEndings: Record<string, string[]> = {
  "0.73.1/json-anthropic": ["completed"],
  "0.73.1/json-badargs": ["completed"],
  "0.73.1/json-badjson": ["completed"],
  "0.73.1/json-drop": ["failed network"],
  "0.73.1/json-edit": ["completed"],
  "0.73.1/json-empty": ["failed unknown"],
  "0.73.1/json-err429": ["failed rate_limit"],
  "0.73.1/json-err429once": ["completed"],
  "0.73.1/json-err500once": ["completed"],
  "0.73.1/json-google": ["completed"],
  "0.73.1/json-maxtokens": ["completed"],
  "0.73.1/json-nokey": ["failed auth"],
  "0.73.1/json-overflow": ["failed context_overflow"],
  "0.73.1/json-shellslow-sigint": ["failed crashed"],
  "0.73.1/json-slow-sigint": ["failed crashed"],
  "0.73.1/json-think": ["completed"],
  "0.73.1/json-unknowntool": ["completed"],
  "0.73.1/text-print": ["completed"],
  "0.87.1/json-anthropic": ["completed"],
  "0.87.1/json-badargs": ["completed"],
  "0.87.1/json-drop": ["failed network"],
  "0.87.1/json-err429": ["failed rate_limit"],
  "0.87.1/json-err429once": ["completed"],
  "0.87.1/json-err500-noretry": ["failed overloaded"],
  "0.87.1/json-maxtokens": ["completed"],
  "0.87.1/json-multi": ["completed"],
  "0.87.1/json-nokey": ["failed auth"],
  "0.87.1/json-plain": ["completed"],
  "0.87.1/json-responses": ["completed"],
  "0.87.1/json-shellfail": ["completed"],
  "0.87.1/json-shellslow-sigint": ["failed crashed"],
  "0.87.1/json-slow-sigint": ["failed crashed"],
  "0.87.1/json-think": ["completed"],
  "0.87.1/json-unicode": ["completed"],
  "0.87.1/json-unicode2028": ["completed"],
  "0.87.1/json-unknowntool": ["completed"],
  "0.87.1/json-write": ["completed"],
};

describe("json", () => {
  describeRecordings({ channel: json, folder, mine: (name) => !isRpc(name), endings: jsonEndings, others: [rpc] });
});
