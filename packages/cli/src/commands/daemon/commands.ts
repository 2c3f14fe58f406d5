import { buildCommand } from "@stricli/core";
import { docs, textFlag, toggle, wholeNumber } from "../parameters.ts";

export const serve = buildCommand({
  loader: async () => (await import("./serve.ts")).default,
  parameters: {
    flags: {
      port: {
        kind: "parsed",
        brief: "Port; 0 reuses the last port or takes any free one",
        placeholder: "n",
        optional: true,
        parse: wholeNumber,
      },
      host: textFlag("Address to listen on (127.0.0.1)", "address"),
      onStop: {
        kind: "enum",
        values: ["keep", "release"],
        brief: "What happens to running agents when it stops",
        default: "keep",
      },
    },
  },
  docs: docs("Run the daemon in the foreground", {
    more: "Prints one line when it is ready. Ctrl-C stops it; with --on-stop keep, running turns continue and the next start\nresumes them. A second Ctrl-C exits at once.",
    examples: ["gantry serve", "gantry serve --port 4711 --json"],
  }),
});

export const stop = buildCommand({
  loader: async () => (await import("./stop.ts")).default,
  parameters: {
    flags: {
      keep: toggle("Leave agents running (the default)"),
      release: toggle("End the agents; their sessions resume with the next message"),
    },
  },
  docs: docs("Stop the daemon", { examples: ["gantry stop", "gantry stop --release"] }),
});

export const status = buildCommand({
  loader: async () => (await import("./status.ts")).default,
  parameters: {},
  docs: docs("Show whether a daemon runs, and its load", {
    more: "Exits 3 if no daemon runs. Never starts one.",
    examples: ["gantry status", "gantry status --json"],
  }),
});

export const web = buildCommand({
  loader: async () => (await import("./web.ts")).default,
  parameters: {
    flags: {
      open: toggle("Also open it in the browser (BROWSER, or the browser of the system)"),
      revoke: toggle("Log out every browser and invalidate unused tickets"),
    },
  },
  docs: docs("Print the URL of the page with a one-time ticket", {
    more: "While --open starts the browser, other users of the machine can see the URL in the process list. The ticket works once.",
    examples: ["gantry web", "gantry web --open", "gantry web --revoke"],
  }),
});

export const ps = buildCommand({
  loader: async () => (await import("./ps.ts")).default,
  parameters: {},
  docs: docs("List the agent processes that run", {
    more: "An idle process is released after `idleSeconds`, and earlier if more than `processes.max` run. The next message resumes it.",
    examples: ["gantry ps", "gantry ps --json"],
  }),
});
