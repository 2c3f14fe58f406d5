import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { kilo } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-perm": ["interrupted"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-concurrent": ["completed", "interrupted", "interrupted"],
  "acp-err401": ["failed auth"],
  "acp-init": [],
  "acp-models": ["completed"],
  "acp-multi": ["completed"],
  "acp-overflow": ["failed context_overflow"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-2-load": ["completed"],
  "acp-resume-3-resume": ["completed"],
  "acp-write-reject": ["completed"],
};

describeRecordings(kilo, join(import.meta.dirname, "fixtures"), endings);
