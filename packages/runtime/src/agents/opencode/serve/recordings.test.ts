import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { serve } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  serve_abort_tool: ["interrupted"],
  serve_drop: ["interrupted"],
  serve_err429: ["interrupted"],
  serve_err500: ["interrupted"],
  serve_fork_revert: ["completed", "completed", "completed", "completed", "completed", "failed model_unavailable"],
  serve_miderr: ["interrupted"],
  serve_overflow: ["completed"],
  serve_question: ["completed"],
  serve_queue: ["interrupted"],
  serve_quota: ["interrupted"],
  serve_session_perm_allow: ["completed"],
  serve_shell: ["completed"],
  serve_text_async: ["completed"],
  serve_text_sync: ["completed"],
  serve_think: ["completed"],
  serve_write_legacy_reply: ["completed"],
  serve_write_reject: ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: serve, folder: join(import.meta.dirname, "fixtures"), endings });
});
