import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { json, rpc } from "./channels.ts";

const folder = join(import.meta.dirname, "fixtures");
const isRpc = (name: string) => name.startsWith("rpc-");

/** The expected end of each recording, from its last lines or the exit of its process. */
const rpcEndings: Record<string, string[]> = {
  "rpc-basic": ["completed"],
  "rpc-resume-2": ["completed"],
  "rpc-write-ask-allow": ["completed"],
  "rpc-write-ask-deny": ["completed"],
};

/** The response to an invalid request in the recording. */
const raws = { "rpc-basic": ["an error for an unknown request"] };

describe("rpc", () => {
  describeRecordings({ channel: rpc, folder, mine: isRpc, endings: rpcEndings, raws, others: [json] });
});

const jsonEndings: Record<string, string[]> = {
  "hermetic-netns": ["completed"],
  "json-badargs": ["completed"],
  "json-drop": ["failed network"],
  "json-edit": ["completed"],
  "json-empty": ["failed unknown"],
  "json-err401": ["failed auth"],
  "json-err429": ["failed rate_limit"],
  "json-err500once": ["completed"],
  "json-maxtokens": ["completed"],
  "json-multi": ["completed"],
  "json-overflow": ["failed context_overflow"],
  "json-plain": ["completed"],
  "json-responses": ["completed"],
  "json-slow-sigint": ["interrupted"],
  "json-todo": ["completed"],
  "json-unicode2028": ["completed"],
  "json-unknowntool": ["completed"],
  "json-write": ["completed"],
  "text-print": ["completed"],
};

describe("json", () => {
  describeRecordings({ channel: json, folder, mine: (name) => !isRpc(name), endings: jsonEndings, others: [rpc] });
});
