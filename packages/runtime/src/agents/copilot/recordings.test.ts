import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { copilot } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-1.0.85-cancel": ["interrupted"],
  "acp-1.0.85-write": ["completed"],
  "acp-1.0.92-write": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-perm": ["interrupted"],
  "acp-concurrent": ["completed", "interrupted", "completed"],
  "acp-err401": ["failed auth"],
  "acp-init": [],
  "acp-multi": ["completed"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-2-load": ["completed"],
  "acp-resume-3-resume": [],
};

describeRecordings(copilot, join(import.meta.dirname, "fixtures"), endings);
