import { join } from "node:path";
import { describeRecordings } from "../json-lines/recordings.fake.ts";
import { rpc } from "./channel.ts";

const folder = join(import.meta.dirname, "fixtures");

/** The expected end of each turn, by recording. */
const endings: Record<string, string[]> = {
  abort: ["interrupted"],
  compacted: ["completed", "completed", "completed"],
  deny: ["completed"],
  edited: ["completed"],
  failed: ["failed billing"],
  overflow: ["failed context_overflow"],
  question: ["completed"],
  retried: ["completed"],
  steered: ["completed"],
  tools: ["completed", "completed", "completed", "completed", "completed"],
  write: ["completed", "completed"],
};

describeRecordings({ channel: rpc, folder, mine: () => true, endings, raws: {}, others: [] });
