import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { auggie } from "./descriptor.ts";

/** How each turn of a recording ends, as the recording itself says. */
const endings: Record<string, string[]> = {
  "acp-init": [],
};

describeRecordings(auggie, join(import.meta.dirname, "fixtures"), endings);
