import { buildCommand, buildRouteMap } from "@stricli/core";
import type { Context } from "../../program/context.ts";
import { docs, proposeSessions, toggle } from "../parameters.ts";

async function proposeLimits(this: Context, partial: string): Promise<readonly string[]> {
  const { limitNames, sessionNames } = await import("../completion/names.ts");
  return [...(await limitNames(this, partial)), ...(await sessionNames(this, partial))];
}

const which = {
  kind: "tuple",
  parameters: [
    {
      brief: "Limit by id or provider, or a waiting session",
      placeholder: "limit",
      optional: true,
      parse: String,
      proposeCompletions: proposeLimits,
    },
  ],
} as const;

export const limits = buildRouteMap({
  routes: {
    ls: buildCommand({
      loader: async () => (await import("./limits.ts")).list,
      parameters: {},
      docs: docs("List active limits and the sessions that wait for them", {
        examples: ["gantry limits", "gantry limits ls --json"],
      }),
    }),
    resume: buildCommand({
      loader: async () => (await import("./limits.ts")).resume,
      parameters: { flags: { all: toggle("Retry every limit") }, positional: which },
      docs: docs("Retry a limit now, or resume one session", {
        more: "One session retries first; if it succeeds, the others follow.",
        examples: [
          "gantry limits resume",
          "gantry limits resume --all",
          "gantry limits resume anthropic",
          "gantry limits resume last",
        ],
      }),
    }),
    off: buildCommand({
      loader: async () => (await import("./limits.ts")).off,
      parameters: { positional: which },
      docs: docs("Hold sessions after a limit: all, those of one limit, or one", {
        examples: ["gantry limits off", "gantry limits off last"],
      }),
    }),
    on: buildCommand({
      loader: async () => (await import("./limits.ts")).on,
      parameters: { positional: which },
      docs: docs("Resume sessions automatically after a limit", {
        examples: ["gantry limits on", "gantry limits on last"],
      }),
    }),
  },
  defaultCommand: "ls",
  docs: { brief: "Limits of providers and budgets, and the sessions that wait" },
});

export const budget = buildCommand({
  loader: async () => (await import("./budget.ts")).default,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "`day`, `session` (every one), or one session",
          placeholder: "what",
          optional: true,
          parse: String,
          proposeCompletions: proposeSessions,
        },
        { brief: "Dollars, or none", placeholder: "usd", optional: true, parse: String },
      ],
    },
  },
  docs: docs("Show or set budgets", {
    more: "No turn starts when a budget is used up. Messages wait until it is raised or the next day begins.",
    examples: ["gantry budget", "gantry budget day 20", "gantry budget last 2.50", "gantry budget day none"],
  }),
});
