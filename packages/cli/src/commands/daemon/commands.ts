import { buildCommand } from "@stricli/core";
import { docs, textFlag, toggle, wholeNumber } from "../parameters.ts";

export const serve = buildCommand({
  loader: async () => (await import("./serve.ts")).default,
  parameters: {
    flags: {
      port: {
        kind: "parsed",
        brief: "Port; 0 is the one it last had, or any",
        placeholder: "n",
        optional: true,
        parse: wholeNumber,
      },
      host: textFlag("Address to listen on (127.0.0.1)", "address"),
      onStop: {
        kind: "enum",
        values: ["keep", "release"],
        brief: "What becomes of agents when it stops",
        default: "keep",
      },
    },
  },
  docs: docs("Run the daemon in the foreground", {
    more: "Prints one line when it is ready. Ctrl-C stops it; with --on-stop keep, running turns go on and the next start\nfinds them again. A second Ctrl-C hurries.",
    examples: ["gantry serve", "gantry serve --port 4711 --json"],
  }),
});

export const stop = buildCommand({
  loader: async () => (await import("./stop.ts")).default,
  parameters: {
    flags: {
      keep: toggle("Leave running agents to themselves (the default)"),
      release: toggle("End the agents; their sessions resume with the next message"),
    },
  },
  docs: docs("Stop the daemon", { examples: ["gantry stop", "gantry stop --release"] }),
});

export const status = buildCommand({
  loader: async () => (await import("./status.ts")).default,
  parameters: {},
  docs: docs("Say whether a daemon runs, and what it does", {
    more: "Exits 3 when there is none; never starts one.",
    examples: ["gantry status", "gantry status --json"],
  }),
});

export const web = buildCommand({
  loader: async () => (await import("./web.ts")).default,
  parameters: { flags: { revoke: toggle("Log out every browser instead, and make unused tickets invalid") } },
  docs: docs("Print the page's address, with a ticket that opens it once", {
    examples: ["gantry web", "gantry web --revoke"],
  }),
});
