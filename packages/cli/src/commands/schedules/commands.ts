import { buildCommand, buildRouteMap } from "@stricli/core";
import {
  attachFlag,
  controlFlags,
  docs,
  folderFlag,
  modeFlag,
  proposeAgents,
  proposeSchedules,
  proposeSessions,
  textFlag,
  toggle,
} from "../parameters.ts";

/** Time flags, shared with `gantry send`. */
export const whenFlags = {
  at: textFlag("Send it at this time: 14:30, or 2026-12-24 18:00", "time"),
  in: textFlag("Send it after this long: 20m, 1h30m, 2d", "length"),
  every: textFlag("Send it repeatedly: 15m, 1d, or a cron expression such as `30 9 * * 1-5`", "rhythm"),
  after: {
    ...textFlag("Send it when this session becomes idle", "session"),
    proposeCompletions: proposeSessions,
  },
  outcome: {
    kind: "enum",
    values: ["completed", "failed", "any"],
    brief: "With --after: only for this outcome (any)",
    optional: true,
  },
} as const;

const one = {
  brief: "Schedule: id or part of it, or part of its text",
  placeholder: "schedule",
  parse: String,
  proposeCompletions: proposeSchedules,
} as const;

export const schedule = buildRouteMap({
  routes: {
    ls: buildCommand({
      loader: async () => (await import("./schedule.ts")).list,
      parameters: {},
      docs: docs("List schedules", { examples: ["gantry schedule", "gantry schedule ls --json"] }),
    }),
    new: buildCommand({
      loader: async () => (await import("./schedule.ts")).add,
      parameters: {
        flags: {
          session: { ...textFlag("Send it to this session", "session"), proposeCompletions: proposeSessions },
          agent: {
            ...textFlag("Start a new session of this agent each time", "agent"),
            proposeCompletions: proposeAgents,
          },
          model: textFlag("Model of the new session", "model"),
          mode: modeFlag("What the new session may do without asking (ask)"),
          effort: textFlag("Reasoning effort", "effort"),
          ...controlFlags,
          cwd: textFlag("Folder of the new session (this one)", "folder"),
          lane: textFlag("Lane of the new session", "name"),
          addDir: folderFlag("Further folder of the new session (can be repeated)"),
          title: textFlag("Title of the new session", "text"),
          ...whenFlags,
          note: textFlag("Description", "text"),
          attach: attachFlag,
        },
        aliases: { s: "session", a: "agent", m: "model", t: "title" },
        positional: {
          kind: "array",
          parameter: { brief: "Message; `-` or a pipe reads it from stdin", placeholder: "text", parse: String },
        },
      },
      docs: docs("Send a message later, repeatedly, or after another session", {
        more: "Times are local. Runs that were missed while the daemon was stopped run once at its next start.",
        examples: [
          'gantry schedule new -s last --in 2h "is the build green by now?"',
          'gantry schedule new -a claude --every "30 9 * * 1-5" "look through the new issues"',
          'gantry schedule new -s k3f9qz --after p0w2aa --outcome completed "now review what it did"',
        ],
        usage: '(-s <session> | -a <agent>) (--at | --in | --every | --after) "text"',
      }),
    }),
    change: buildCommand({
      loader: async () => (await import("./schedule.ts")).change,
      parameters: {
        flags: {
          ...whenFlags,
          delivery: {
            kind: "enum",
            values: ["auto", "queue", "steer", "interrupt"],
            brief: "What to do if a turn is running",
            optional: true,
          },
          note: textFlag("Description", "text"),
          attach: attachFlag,
        },
        positional: {
          kind: "array",
          minimum: 1,
          parameter: { ...one, brief: "Schedule, then its new message if that changes" },
        },
      },
      docs: docs("Change the time, message, files or description of a schedule", {
        more: "A new time replaces the old one. It restarts a schedule that has finished.",
        examples: [
          "gantry schedule change k3f9qz --every 2h",
          'gantry schedule change k3f9qz --at 18:30 --note "before the release" "is the build green by now?"',
        ],
        usage: '<schedule> [--at | --in | --every | --after] ["text"]',
      }),
    }),
    rm: buildCommand({
      loader: async () => (await import("./schedule.ts")).remove,
      parameters: { positional: { kind: "array", minimum: 1, parameter: one } },
      docs: docs("Remove schedules", { examples: ["gantry schedule rm k3f9qz"] }),
    }),
    pause: buildCommand({
      loader: async () => (await import("./schedule.ts")).pause,
      parameters: { flags: { undo: toggle("Resume it") }, positional: { kind: "tuple", parameters: [one] } },
      docs: docs("Pause or resume a schedule", {
        examples: ["gantry schedule pause k3f9qz", "gantry schedule pause k3f9qz --undo"],
      }),
    }),
    run: buildCommand({
      loader: async () => (await import("./schedule.ts")).runNow,
      parameters: { positional: { kind: "tuple", parameters: [one] } },
      docs: docs("Run a schedule now", { examples: ["gantry schedule run k3f9qz"] }),
    }),
  },
  defaultCommand: "ls",
  docs: { brief: "Send messages later, repeatedly, or after another session" },
});
