import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { grok } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-background": ["completed", "completed"],
  "acp-basic": ["completed", "completed"],
  "acp-cancel": ["interrupted", "completed"],
  "acp-hook-asks": ["completed"],
  "acp-overflow": ["failed context_overflow"],
  "acp-plan": ["completed", "completed", "completed", "completed", "completed"],
  "acp-subagent": ["completed", "completed"],
  "acp-write-denied": ["completed"],
};

describeRecordings(grok, join(import.meta.dirname, "fixtures"), endings);
