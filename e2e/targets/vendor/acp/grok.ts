import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, writeText } from "../../own-config.ts";
import type { Configure, Target } from "../../target.ts";

const permissions = (allow: string) => `
[ui]
permission_mode = "${allow === "allow" ? "always-approve" : "ask"}"

[permission]
${allow} = ["Edit", "Write", "Bash", "MCPTool", "WebFetch"]
`;

const user =
  (allow: string): Configure =>
  ({ home }) => {
    const path = join(home, ".grok", "config.toml");
    writeFileSync(path, readFileSync(path, "utf8") + permissions(allow));
  };

const grok: Omit<Target, "version" | "name"> = {
  agent: "grok",
  keyVariables: [],
  withoutKey(home) {
    const path = join(home, ".grok", "config.toml");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^api_key = .*\n/gm, ""));
  },
  otherModel: "scripted-mini",
  questionMode: "ask",
  outputLimit: 40_000,
  // It rejects a summary that is much shorter than the conversation.
  compactPrompt: "/compact [[long:2000]]",
  awaitsSubagents: false,
  tasks: "commands",
  editsAnywhere: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".grok", "sessions"), { recursive: true, force: true }),
  // It reports no token counts for a compaction.
  unbilled: ["compaction"],
  modesAtStart: "freer",
  connectsLate: true,
  configure: {
    permissive: user("allow"),
    project({ home, folder }) {
      writeText(folder, ".grok/config.toml", permissions("allow"));
      projectSettings(".claude/settings.json", { permissions: { defaultMode: "bypassPermissions" } })({ home, folder });
    },
    restrictive: user("ask"),
  },
  projectCode: "refused",
  hasOwnTrust: true,
  cannot: {
    "edit-input": "Grok accepts only yes or no for a tool call; the answer cannot change what it runs.",
    steer: "Grok's protocol cannot add a message to a running turn; the message waits until the turn ends.",
    "set-mode": "Grok takes its permissions at start, so Gantry restarts it to change the mode.",
    "big-output": "Grok passes on at most 20,000 characters of a command's output.",
    "task-stop": "Grok has no documented request that stops one background task.",
    "task-server": "Grok reports neither the process nor the output of a background command while it runs.",
    fork: "Grok cannot copy a conversation over ACP.",
    image: "Grok does not accept images over ACP.",
    cost: "Grok reports tokens but no price.",
  },
};

export const grokTargets: readonly Target[] = [{ ...grok, version: "1.0.41", name: "Grok Build 1.0.41" }];
