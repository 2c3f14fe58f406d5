import { buildCommand, buildRouteMap } from "@stricli/core";
import {
  attachFlag,
  controlFlags,
  docs,
  folderFlag,
  modeFlag,
  proposeAgents,
  proposeLanes,
  proposeSessions,
  sessionParameter,
  textFlag,
  timeoutFlag,
  toggle,
  wholeNumber,
} from "../parameters.ts";
import { whenFlags } from "../schedules/commands.ts";

const sessionAndText = {
  kind: "array",
  minimum: 1,
  parameter: {
    brief: "Session, then the text; `-` reads the text from stdin",
    placeholder: "session text",
    parse: String,
    proposeCompletions: proposeSessions,
  },
} as const;

const sendFlags = {
  attach: attachFlag,
  wait: toggle("Follow the turn and exit with its outcome"),
  id: textFlag("Idempotency id (msg_…): the same id twice is the same message", "id"),
  timeout: timeoutFlag,
};

export const run = buildCommand({
  loader: async () => (await import("./run.ts")).default,
  parameters: {
    flags: {
      agent: {
        kind: "parsed",
        brief: "Agent: see `gantry agents` (the default, or the one last used in the folder)",
        placeholder: "agent",
        parse: String,
        optional: true,
        proposeCompletions: proposeAgents,
      },
      model: textFlag("Model id of the agent", "model"),
      mode: modeFlag("What it may do without asking (ask)"),
      effort: textFlag("Reasoning effort: low, medium, high …", "effort"),
      ...controlFlags,
      cwd: textFlag("Folder to work in (this one)", "folder"),
      lane: {
        ...textFlag("Lane to work in; created if missing", "name"),
        proposeCompletions: proposeLanes,
      },
      addDir: folderFlag("Further folder in which the agent may work (can be repeated)"),
      title: textFlag("Title of the session", "text"),
      resume: textFlag("Resume this conversation of the agent: see `gantry conversations`", "conversation"),
      attach: attachFlag,
      instructions: textFlag("Pinned context of the conversation", "text"),
      timeout: { ...timeoutFlag, brief: "Interrupt the turn after this many seconds" },
      detach: toggle("Start it and return at once"),
    },
    aliases: { a: "agent", m: "model", d: "detach", t: "title" },
    positional: {
      kind: "array",
      parameter: { brief: "Prompt; `-` or a pipe reads it from stdin", placeholder: "prompt", parse: String },
    },
  },
  docs: docs("Start a session with a prompt and follow its turn", {
    more: "Exits 0 completed, 1 failed, 3 environment, 4 waiting for input, 130 interrupted. On a terminal, approvals are\nasked in place; Ctrl-C interrupts the turn, a second one leaves it running.",
    examples: [
      'gantry run -a claude "fix the failing test"',
      'gantry run "fix the failing test"',
      "git diff | gantry run -a codex -m gpt-5 --json -",
      'gantry run -a scripted --mode full-auto --detach "tidy up"',
    ],
    usage: '[-a <agent>] [flags] "prompt"',
  }),
});

export const send = buildCommand({
  loader: async () => (await import("./send.ts")).default,
  parameters: {
    flags: {
      delivery: {
        kind: "enum",
        values: ["auto", "queue", "steer", "interrupt"],
        brief: "Delivery during a running turn (auto)",
        optional: true,
      },
      ...sendFlags,
      ...whenFlags,
    },
    aliases: { w: "wait" },
    positional: sessionAndText,
  },
  docs: docs("Send a message to a session, now or later", {
    examples: [
      'gantry send last --in 20m "how far is it?"',
      'gantry send last "now add a test"',
      'gantry send k3f9qz --delivery queue --wait "then commit"',
    ],
    usage: "[flags] <session> <text>",
  }),
});

export const steer = buildCommand({
  loader: async () => (await import("./send.ts")).steer,
  parameters: { flags: sendFlags, aliases: { w: "wait" }, positional: sessionAndText },
  docs: docs("Steer the running turn with a message", {
    examples: ['gantry steer last "use the other table"'],
    usage: "[flags] <session> <text>",
  }),
});

export const attach = buildCommand({
  loader: async () => (await import("./attach.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Follow a session live and send messages", {
    more: "Every line is sent. /stop stops the turn and holds the queue, /resume runs it, /clear empties it, /now <place> sends one\nmessage. /queue and /steer set the delivery of a line, /quit leaves the session running.",
    examples: ["gantry attach last"],
  }),
});

export const wait = buildCommand({
  loader: async () => (await import("./wait.ts")).default,
  parameters: { flags: { timeout: timeoutFlag }, positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Wait until a session is idle, and exit with the outcome of its last turn", {
    examples: ["gantry wait last --timeout 600"],
  }),
});

export const interrupt = buildCommand({
  loader: async () => (await import("./interrupt.ts")).default,
  parameters: {
    flags: {
      keep: toggle("Let queued messages run next"),
      clear: toggle("Cancel queued messages"),
    },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Stop the running turn", {
    more: "Queued messages, and steers that the agent has not read, are held until `gantry queue resume`.",
    examples: ["gantry interrupt last", "gantry interrupt last --keep", "gantry interrupt last --clear"],
  }),
});

const message = {
  brief: "Queued message: place (1 is next), id or text",
  placeholder: "message",
  parse: String,
} as const;

export const queue = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./queue.ts")).list,
      parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
      docs: docs("List queued messages", { examples: ["gantry queue list last"] }),
    }),
    edit: buildCommand({
      loader: async () => (await import("./queue.ts")).edit,
      parameters: {
        positional: {
          kind: "array",
          minimum: 3,
          parameter: {
            brief: "Session, message, then the new text",
            placeholder: "session message text",
            parse: String,
          },
        },
      },
      docs: docs("Change the text of a queued message", {
        examples: ['gantry queue edit last 1 "new text"'],
        usage: "<session> <message> <text>",
      }),
    }),
    move: buildCommand({
      loader: async () => (await import("./queue.ts")).move,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            sessionParameter,
            message,
            { brief: "New place, from 1", placeholder: "place", parse: wholeNumber },
          ],
        },
      },
      docs: docs("Move a queued message to another place", { examples: ["gantry queue move last 3 1"] }),
    }),
    cancel: buildCommand({
      loader: async () => (await import("./queue.ts")).cancel,
      parameters: { positional: { kind: "tuple", parameters: [sessionParameter, message] } },
      docs: docs("Remove a message from the queue", {
        more: "The full id (msg_…) of a message that was sent into the running turn takes it back, if the agent allows it and\nhas not read it.",
        examples: ["gantry queue cancel last 1"],
      }),
    }),
    clear: buildCommand({
      loader: async () => (await import("./queue.ts")).clear,
      parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
      docs: docs("Remove every message from the queue", { examples: ["gantry queue clear last"] }),
    }),
    "send-now": buildCommand({
      loader: async () => (await import("./queue.ts")).sendNow,
      parameters: {
        flags: {
          steer: toggle("Send it into the running turn, if the agent accepts that"),
          interrupt: toggle("Stop the running turn first (default)"),
        },
        positional: { kind: "tuple", parameters: [sessionParameter, message] },
      },
      docs: docs("Send a queued message at once; the others stay queued", {
        examples: ["gantry queue send-now last 2", "gantry queue send-now last 1 --steer"],
      }),
    }),
    pause: buildCommand({
      loader: async () => (await import("./queue.ts")).pause,
      parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
      docs: docs("Hold queued messages until the queue is resumed", { examples: ["gantry queue pause last"] }),
    }),
    resume: buildCommand({
      loader: async () => (await import("./queue.ts")).resume,
      parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
      docs: docs("Resume a paused queue", { examples: ["gantry queue resume last"] }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "List and change queued messages" },
});
