import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const WORDLESS = "Kimi ends the turn without a word when its provider fails, so that only the failure itself is known.";

const kimi: Omit<Target, "version" | "name"> = {
  agent: "kimi",
  keyVariables: [],
  withoutKey(home) {
    const path = join(home, ".kimi-code", "config.toml");
    writeFileSync(path, readFileSync(path, "utf8").replace(/^api_key = .*\n/m, ""));
  },
  forget: (home) => rmSync(join(home, ".kimi-code", "sessions"), { recursive: true, force: true }),
  otherModel: "scripted/scripted-other",
  otherModelServed: "scripted-other",
  questionMode: "ask",
  outputLimit: 40_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  lists: true,
  blindToNewFiles: true,
  planPrompt: "[[planfile]] go",
  cannot: {
    "edit-input": "Kimi takes only yes or no to an edit or command; what it runs cannot be changed by the answer.",
    steer: "Kimi's protocol has no way into a running turn: a message waits for the turn's end.",
    "set-mode": "Kimi has no mode in which it edits freely and still asks before commands.",
    "error-429": WORDLESS,
    "error-500": WORDLESS,
    "error-529": WORDLESS,
    "error-quota": WORDLESS,
    "error-billing": WORDLESS,
    "error-model": WORDLESS,
    "refused-connection": WORDLESS,
    retry: "Kimi tries a failed request again without a word over the Agent Client Protocol.",
    cost: "Kimi counts tokens and tells no price.",
  },
};

export const kimiTargets: readonly Target[] = [{ ...kimi, version: "2.1.0", name: "Kimi Code 2.1.0" }];
