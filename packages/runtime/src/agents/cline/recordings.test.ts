import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { cline } from "./descriptor.ts";

/** How each turn of a recording ends, as the recording itself says. */
const endings: Record<string, string[]> = {
  "acp-answer": ["completed", "completed"],
  "acp-basic": [],
  "acp-cancel-stream": ["interrupted"],
  "acp-init": [],
  "acp-shell-fails": ["completed"],
  "acp-write-allow": [],
  "acp-write-allowed": ["completed"],
  "acp-write-denied": ["completed"],
  "acp-wrong-key": ["failed auth"],
};

describeRecordings(cline, join(import.meta.dirname, "fixtures"), endings);
