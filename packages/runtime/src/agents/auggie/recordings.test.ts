import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { auggie } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-answer": ["completed", "completed"],
  "acp-cancel-stream": ["interrupted"],
  "acp-init": [],
  "acp-shell-fails": ["completed"],
  "acp-write-allowed": ["completed"],
  "acp-write-denied": ["completed"],
  "acp-wrong-key": ["failed auth"],
};

describeRecordings(auggie, join(import.meta.dirname, "fixtures"), endings);
