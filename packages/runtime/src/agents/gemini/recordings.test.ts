import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { gemini } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-0.41.0-write": ["completed"],
  "acp-0.51.0-write": ["completed"],
  "acp-badargs": ["completed"],
  "acp-basic": ["completed", "completed", "failed network"],
  "acp-cancel-hang": ["interrupted"],
  "acp-cancel-perm": ["interrupted"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-concurrent": ["completed", "interrupted", "completed"],
  "acp-drop": ["failed network"],
  "acp-edit": ["completed"],
  "acp-empty": ["failed unknown"],
  "acp-err429": ["failed crashed"],
  "acp-err429once": ["completed"],
  "acp-err500": ["failed crashed"],
  "acp-load-same-minute-bug": [],
  "acp-maxtokens": ["completed"],
  "acp-models": ["completed"],
  "acp-nokey": [],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-2-load": [],
  "acp-resume-late-2": ["completed"],
  "acp-shell-allow": ["completed"],
  "acp-shell-fail": ["completed"],
  "acp-todo": ["completed"],
  "acp-unknowntool": ["completed"],
  "acp-write-allow": ["completed"],
  "acp-write-always": ["completed", "completed"],
  "acp-write-nofs": ["completed"],
  "acp-write-permcancel": ["completed"],
};

describeRecordings(gemini, join(import.meta.dirname, "fixtures"), endings);
