import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { codexAcp } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-cancel-perm": ["completed"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-concurrent": ["completed", "interrupted"],
  "acp-err429once": ["completed"],
  "acp-models": ["completed"],
  "acp-resume-1": ["completed", "completed"],
  "acp-shell-allow": ["completed"],
  "acp-write-allow": ["completed"],
  "acp-write-reject": ["completed"],
  "v2-err": ["failed rate_limit"],
  "v2-multi": ["completed"],
  "v2-slow": ["interrupted"],
  "v2-write": ["completed"],
};

describeRecordings(codexAcp, join(import.meta.dirname, "fixtures"), endings);
