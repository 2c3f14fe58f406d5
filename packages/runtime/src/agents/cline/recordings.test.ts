import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { cline } from "./descriptor.ts";

/** How each turn of a recording ends, as the recording itself says. */
const endings: Record<string, string[]> = {
  "acp-basic": [],
  "acp-init": [],
  "acp-write-allow": [],
};

describeRecordings(cline, join(import.meta.dirname, "fixtures"), endings);
