import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { kimi } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-0.43.0-write": ["completed"],
  "acp-ask": ["completed"],
  "acp-badargs": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-perm": ["interrupted"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-concurrent": ["completed", "interrupted"],
  "acp-edit": ["completed"],
  "acp-err401": ["failed auth"],
  "acp-err429": ["failed crashed"],
  "acp-err429-attempts1": ["failed unknown"],
  "acp-err429once": ["completed"],
  "acp-err500": ["failed unknown"],
  "acp-err500-attempts1": ["failed unknown"],
  "acp-err500once": ["completed"],
  "acp-maxtokens": ["completed"],
  "acp-models": ["completed"],
  "acp-nokey": [],
  "acp-overflow": ["failed context_overflow"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-2-load": ["completed"],
  "acp-shell-fail": ["completed"],
  "acp-unknowntool": ["completed"],
  "acp-write-allow": ["completed"],
  "acp-write-always": ["completed", "completed"],
  "acp-write-gitcwd": ["completed"],
  "acp-write-nofs": ["completed"],
  "acp-write-reject": ["completed"],
};

describeRecordings(kimi, join(import.meta.dirname, "fixtures"), endings);
