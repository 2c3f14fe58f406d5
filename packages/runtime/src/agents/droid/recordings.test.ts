import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { droid } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  "acp-ask": ["completed"],
  "acp-badargs": ["completed"],
  "acp-basic": ["completed", "completed", "completed"],
  "acp-cancel-hang": ["interrupted"],
  "acp-concurrent": ["completed", "completed"],
  "acp-drop": ["failed network"],
  "acp-empty": ["failed unknown"],
  "acp-err401": ["failed auth"],
  "acp-err500": ["failed crashed"],
  "acp-models": ["completed"],
  "acp-multi": ["completed"],
  "acp-nokey": [],
  "acp-overflow": ["failed context_overflow"],
  "acp-probe-daemon": [],
  "acp-probe-fakekey-baseurl": ["completed"],
  "acp-resume-2-load": ["completed"],
  "acp-resume-3-resume": ["completed"],
  "acp-shell-fail": ["completed"],
  "acp-todo": ["completed"],
  "acp-unknowntool": ["completed"],
  "acp-write-always": ["completed", "completed"],
  "acp-write-nofs": ["completed"],
  "acp-write-permcancel": ["completed"],
  "acp-write-reject": ["completed"],
};

/** ACP is its last channel. */
const overAcp = { ...droid, channels: droid.channels.toReversed() };

describeRecordings(overAcp, join(import.meta.dirname, "fixtures"), endings);
