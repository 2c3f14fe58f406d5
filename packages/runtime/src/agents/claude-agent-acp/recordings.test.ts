import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { claudeAgentAcp } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-perm": ["interrupted"],
  "acp-cancel-slow": ["interrupted", "completed"],
  "acp-concurrent": ["completed", "interrupted"],
  "acp-err429once": ["completed"],
  "acp-init": [],
  "acp-multi": ["completed"],
  "acp-resume-1": ["completed", "completed"],
  "acp-resume-3-resume": ["completed"],
  "acp-shell-allow": ["completed"],
  "acp-write-reject": ["completed"],
  "v2-err": ["failed rate_limit"],
  "v2-multi": ["completed"],
  "v2-slow": ["interrupted"],
  "v2-think": ["completed"],
  "v2-write": ["completed"],
};

describeRecordings(claudeAgentAcp, join(import.meta.dirname, "fixtures"), endings);
