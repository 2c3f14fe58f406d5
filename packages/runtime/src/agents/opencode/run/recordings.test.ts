import { join } from "node:path";
import { describe } from "vitest";
import { describeRecordings } from "../../json-lines/recordings.fake.ts";
import { run } from "./channel.ts";

/** The expected end of each recording, from its last lines or the exit of its process. */
const endings: Record<string, string[]> = {
  run_bash_auto: ["completed"],
  run_drop: ["failed crashed"],
  run_drop_long: ["failed network"],
  run_err401: ["failed auth"],
  run_err429once: ["completed"],
  run_fork: ["completed"],
  run_maxtok: ["completed"],
  run_miderr: ["failed crashed"],
  run_miderr_long: ["failed overloaded"],
  run_multi_auto: ["completed"],
  run_nokey: ["completed"],
  run_nokey_anthropic_real: ["failed unknown"],
  run_nomodel: ["failed unknown"],
  run_overflow_anthropic: ["completed"],
  run_resume_1: ["completed"],
  run_subagent: ["completed"],
  run_text: ["completed"],
  run_think: ["completed"],
  run_think_noflag: ["completed"],
  run_unreachable_long: ["failed network"],
  run_write_ask: ["completed"],
  run_write_auto: ["completed"],
  run_write_auto_anthropic: ["completed"],
};

describe("recordings", () => {
  describeRecordings({ channel: run, folder: join(import.meta.dirname, "fixtures"), endings });
});
