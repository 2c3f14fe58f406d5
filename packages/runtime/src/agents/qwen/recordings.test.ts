import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { qwen } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-0.15.6-err401": ["failed auth"],
  "acp-0.15.6-write": ["completed"],
  "acp-ask": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-hang": ["interrupted"],
  "acp-cancel-perm": ["interrupted"],
  "acp-drop": ["failed network"],
  "acp-err429": ["failed crashed"],
  "acp-maxtokens": ["completed"],
  "acp-nokey": [],
  "acp-overflow": ["failed context_overflow"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-3-resume": ["completed"],
  "acp-shell-allow": ["completed"],
  "acp-shell-fail": ["completed"],
  "acp-todo": ["completed"],
  "acp-unknowntool": ["completed"],
  "acp-write-nofs": ["completed"],
  "acp-write-permcancel": ["completed"],
  "acp-write-reject": ["completed"],
};

describeRecordings(qwen, join(import.meta.dirname, "fixtures"), endings);
