import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../../json-lines/recordings.fake.ts";
import { streamJsonRpc } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  ask: ["completed"],
  err429once: ["completed"],
  interrupt: ["interrupted", "completed"],
  load: ["completed"],
  "shell-allow": ["completed"],
  "write-allow": ["completed"],
  "write-deny": ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: streamJsonRpc, folder: join(import.meta.dirname, "fixtures"), endings });
});
