import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { nanocoder } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = { "acp-basic": ["completed", "completed", "completed"] };

describeRecordings(nanocoder, join(import.meta.dirname, "fixtures"), endings);
