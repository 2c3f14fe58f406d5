import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, toggle } from "../parameters.ts";

export const service = buildRouteMap({
  routes: {
    status: buildCommand({
      loader: async () => (await import("./service.ts")).status,
      parameters: {},
      docs: docs("Show whether the service is installed and runs", {
        more: "Exits 3 if it is not installed or does not run.",
        examples: ["gantry service status", "gantry service --json"],
      }),
    }),
    install: buildCommand({
      loader: async () => (await import("./service.ts")).install,
      parameters: { flags: { print: toggle("Print the service and change nothing") } },
      docs: docs("Run the daemon whenever you are logged in", {
        more: "Writes a user unit of systemd or an agent of launchd, and starts it. A daemon that runs in the background is replaced;\nrunning turns continue. Keys and proxies belong into service.env in Gantry's home folder, one NAME=value per line.",
        examples: ["gantry service install", "gantry service install --print"],
      }),
    }),
    uninstall: buildCommand({
      loader: async () => (await import("./service.ts")).uninstall,
      parameters: {},
      docs: docs("Stop and remove the service", {
        more: "Sessions and running agents stay; the next command starts a daemon in the background.",
        examples: ["gantry service uninstall"],
      }),
    }),
  },
  defaultCommand: "status",
  docs: { brief: "Run the daemon as a service of the system" },
});
