import { buildCommand } from "@stricli/core";
import { controlFlags, docs, proposeAgents, proposeSessions, textFlag, timeoutFlag, toggle } from "../parameters.ts";

export const handoff = buildCommand({
  loader: async () => (await import("./handoff.ts")).default,
  parameters: {
    flags: {
      model: textFlag("Model id of the next agent (its default)", "model"),
      mode: {
        kind: "enum",
        values: ["plan", "ask", "auto-edit", "full-auto", "inherit"],
        brief: "What it may do without asking (unchanged)",
        optional: true,
      },
      effort: textFlag("Reasoning effort", "effort"),
      ...controlFlags,
      strategy: {
        kind: "enum",
        values: ["auto", "fork", "resume", "brief"],
        brief: "How context is transferred (auto)",
        optional: true,
      },
      edit: toggle("Edit the brief in $EDITOR before sending it"),
      dryRun: toggle("Show the brief; change nothing"),
      interrupt: toggle("Interrupt the running turn and withdraw pending inputs"),
      wait: toggle("Follow the turn and exit with its outcome"),
      timeout: timeoutFlag,
    },
    aliases: { m: "model", w: "wait" },
    positional: {
      kind: "array",
      minimum: 2,
      parameter: {
        brief: "Session, next agent, and prompt",
        placeholder: "session agent prompt",
        parse: String,
        proposeCompletions: async function (partial: string) {
          return [...(await proposeAgents.call(this, partial)), ...(await proposeSessions.call(this, partial))];
        },
      },
    },
  },
  docs: docs("Hand a session to another agent", {
    more: "An agent that worked in the session before resumes its own conversation; any other agent gets a brief made from the log.",
    examples: [
      'gantry handoff last codex "make the tests pass"',
      "gantry handoff last codex --dry-run",
      "gantry handoff last claude --edit --interrupt",
    ],
    usage: "[flags] <session> <agent> [prompt]",
  }),
});
