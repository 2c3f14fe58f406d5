import { buildCommand } from "@stricli/core";
import { docs, proposeAgents, proposeSessions, textFlag, timeoutFlag, toggle } from "../parameters.ts";

export const handoff = buildCommand({
  loader: async () => (await import("./handoff.ts")).default,
  parameters: {
    flags: {
      model: textFlag("Model, as the next agent names it (its own choice)", "model"),
      mode: {
        kind: "enum",
        values: ["plan", "ask", "auto-edit", "full-auto", "inherit"],
        brief: "How much it may do without asking (as before)",
        optional: true,
      },
      effort: textFlag("How hard the model thinks", "effort"),
      strategy: {
        kind: "enum",
        values: ["auto", "fork", "resume", "brief"],
        brief: "How it comes by what was said (auto)",
        optional: true,
      },
      edit: toggle("Open the brief in $EDITOR before it is sent"),
      dryRun: toggle("Show the brief and change nothing"),
      interrupt: toggle("Stop what runs and take back what is asked"),
      wait: toggle("Follow the turn and exit with its outcome"),
      timeout: timeoutFlag,
    },
    aliases: { m: "model", w: "wait" },
    positional: {
      kind: "array",
      minimum: 2,
      parameter: {
        brief: "Session, the next agent, and what it is to do",
        placeholder: "session agent prompt",
        parse: String,
        proposeCompletions: async function (partial: string) {
          return [...(await proposeAgents.call(this, partial)), ...(await proposeSessions.call(this, partial))];
        },
      },
    },
  },
  docs: docs("Hand a session to another agent", {
    more: "An agent that had the session before goes on with its own conversation; any other gets a brief made from the log.",
    examples: [
      'gantry handoff last codex "make the tests pass"',
      "gantry handoff last codex --dry-run",
      "gantry handoff last claude --edit --interrupt",
    ],
    usage: "[flags] <session> <agent> [prompt]",
  }),
});
