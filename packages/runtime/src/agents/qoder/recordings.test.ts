import { join } from "node:path";
import { describeRecordings } from "../acp/testing/recordings.ts";
import { qoder } from "./descriptor.ts";

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = { "acp-login-required": [] };

describeRecordings(qoder, join(import.meta.dirname, "fixtures"), endings);
