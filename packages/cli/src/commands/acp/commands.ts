import { buildCommand } from "@stricli/core";
import { docs, modeFlag, proposeAgents, proposeSessions, textFlag } from "../parameters.ts";

export const acp = buildCommand({
  loader: async () => (await import("./acp.ts")).default,
  parameters: {
    flags: {
      agent: {
        ...textFlag("Agent of new sessions (the default, or the one last used in the folder)", "agent"),
        proposeCompletions: proposeAgents,
      },
      mode: modeFlag("What new sessions may do without asking (ask)"),
      session: {
        ...textFlag("Session that the first session/new opens", "session"),
        proposeCompletions: proposeSessions,
      },
      login: {
        ...textFlag("Log this agent in, for editors that run it in a terminal", "agent"),
        proposeCompletions: proposeAgents,
      },
    },
    aliases: { a: "agent" },
  },
  docs: docs("Serve an editor over ACP on stdin and stdout", {
    more: "The editor starts this command and speaks the Agent Client Protocol, version 1 or 2. Sessions stay in the daemon: the\nturn continues when the editor ends. docs/user/editors.md has the set-up for each editor.",
    examples: ["gantry acp", "gantry acp --agent claude --mode ask"],
  }),
});
