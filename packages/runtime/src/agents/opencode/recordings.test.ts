import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { opencode } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-1.14.41-write": ["completed"],
  "acp-1.3.0-cancel": ["interrupted"],
  "acp-1.3.0-err401": ["failed auth"],
  "acp-1.3.0-think": ["completed"],
  "acp-1.3.0-write": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-perm": ["interrupted"],
  "acp-cancel-shell": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-err401": ["failed auth"],
  "acp-models": ["completed"],
  "acp-multi": ["completed"],
  "acp-overflow": ["failed context_overflow"],
  "acp-resume-1": ["completed", "completed"],
  "acp-shell-allow": ["completed"],
  "acp-write-allow": ["completed"],
};

describeRecordings(opencode, join(import.meta.dirname, "fixtures"), endings);
