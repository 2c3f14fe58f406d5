import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { omp } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-badargs": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-hang": ["interrupted"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-drop": ["failed network"],
  "acp-err500": ["failed crashed"],
  "acp-maxtokens": ["failed context_overflow"],
  "acp-models": ["completed"],
  "acp-multi": ["completed"],
  "acp-overflow": ["failed context_overflow"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-2-load": ["completed"],
  "acp-resume-3-resume": ["completed"],
  "acp-shell-fail": ["completed"],
  "acp-todo": ["completed"],
  "acp-write-allow": ["completed"],
  "acp-write-always": ["completed", "completed"],
  "acp-write-nofs": ["completed"],
  "acp-write-permcancel": ["completed"],
  "acp-write-reject": ["completed"],
};

describeRecordings(omp, join(import.meta.dirname, "fixtures"), endings);
