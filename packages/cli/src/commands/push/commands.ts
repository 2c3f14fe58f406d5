import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs } from "../parameters.ts";

const browserParameter = {
  brief: "Browser: part of its id or its name",
  placeholder: "browser",
  parse: String,
} as const;

export const push = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./push.ts")).list,
      parameters: {},
      docs: docs("List the subscribed browsers and the hosts that receive their messages", {
        examples: ["gantry push"],
      }),
    }),
    on: buildCommand({
      loader: async () => (await import("./push.ts")).on,
      parameters: {},
      docs: docs("Switch push notifications on", {
        more: "Nothing is sent before a browser subscribes, in its page under Settings, Phone.",
        examples: ["gantry push on"],
      }),
    }),
    off: buildCommand({
      loader: async () => (await import("./push.ts")).off,
      parameters: {},
      docs: docs("Switch push notifications off", {
        more: "The daemon contacts no push service, and the buttons of earlier notifications stop working.",
        examples: ["gantry push off"],
      }),
    }),
    test: buildCommand({
      loader: async () => (await import("./push.ts")).test,
      parameters: { positional: { kind: "tuple", parameters: [browserParameter] } },
      docs: docs("Send a test notification to a browser", { examples: ["gantry push test phone"] }),
    }),
    revoke: buildCommand({
      loader: async () => (await import("./push.ts")).revoke,
      parameters: { positional: { kind: "tuple", parameters: [browserParameter] } },
      docs: docs("Stop notifications to a browser", { examples: ["gantry push revoke phone"] }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "Push notifications to browsers and phones" },
});
