import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../../own-config.ts";
import type { Target } from "../../target.ts";

const copilot: Omit<Target, "version" | "name"> = {
  agent: "copilot",
  keyVariables: ["COPILOT_PROVIDER_API_KEY"],
  otherModel: "scripted-mini",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 60_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".copilot"), { recursive: true, force: true }),
  // It reports no token counts for a compaction or in print mode.
  unbilled: ["compaction", "fallback-write"],
  writeMode: "full-auto",
  configure: {
    permissive({ home, folder }) {
      const tool_approvals = [
        { kind: "write" },
        { kind: "commands", commandIdentifiers: ["bash", "echo", "printf", "sh"] },
      ];
      userSettings(".copilot/permissions-config.json", { locations: { [folder]: { tool_approvals } } })({
        home,
        folder,
      });
      const settings = { trusted_folders: [folder], trustedFolders: [folder], defaultPermissionMode: "allow-all" };
      for (const file of ["config.json", "settings.json"]) userSettings(`.copilot/${file}`, settings)({ home, folder });
    },
    project: projectSettings(".github/copilot/settings.json", { defaultPermissionMode: "allow-all" }),
    restrictive: userSettings(".copilot/settings.json", { defaultMode: "plan", defaultPermissionMode: "manual" }),
  },
  projectCode: "refused",
  cannot: {
    "task-command": "Copilot ends a turn over ACP only when the commands that it started in the background have ended.",
    "extra-folder": "Copilot does not apply --add-dir over ACP: it asks for every path outside of its working folder.",
    "edit-input": "Copilot accepts only yes or no for a tool call; the answer cannot change what it runs.",
    question: "Copilot gives its model no tool to ask the user a question over ACP.",
    "todo-list": "Copilot stores its to-do list in a private database and does not report it.",
    steer: "Copilot cannot add a message to a running turn over ACP: a second prompt cancels the first.",
    fork: "Copilot cannot copy a conversation over ACP.",
    "set-mode": "Copilot has no mode that may edit files but not run commands.",
    "agent-row": "Copilot lists no models when it uses a custom provider, as in these tests.",
    "big-output":
      "Copilot passes on at most 20 kB of a command's output; for more, it gives the path of the file that holds it.",
    cost: "Copilot reports tokens but no price.",
  },
  // Its plans are ordinary answers: a person continues by changing the mode.
  leavesOut: ["plan-approval"],
};

export const copilotTargets: readonly Target[] = [
  { ...copilot, version: "1.0.102", name: "Copilot CLI 1.0.102" },
  {
    ...copilot,
    version: "1.0.85",
    name: "Copilot CLI 1.0.85",
    oldest: true,
    hasOwnTrust: true,
    givesUp: true,
    cannot: { ...copilot.cannot, retry: "Copilot 1.0.85 repeats a failed request and does not report it." },
  },
];
