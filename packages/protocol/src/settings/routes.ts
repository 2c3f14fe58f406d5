import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { SettingChanges, SettingList } from "./schema.ts";

/** The daemon's settings, `GANTRY_HOME/config.yml`. */
export const settingRoutes = {
  getSettings: {
    method: "GET",
    path: "/v1/settings",
    summary: "Lists every setting with its value, default, description and when a change takes effect.",
    status: 200,
    response: SettingList,
    errors: [],
    client: "settings.get()",
  },
  patchSettings: {
    method: "PATCH",
    path: "/v1/settings",
    summary:
      "Changes settings by key, such as `deadlines.turnSeconds`; `null` restores the default. All or nothing; comments in the file stay.",
    body: SettingChanges,
    status: 200,
    response: z.object({
      settings: SettingList,
      applied: z.array(z.object({ key: z.string(), takesEffect: z.enum(["now", "restart"]) })),
    }),
    errors: ["invalid", "conflict"],
    client: "settings.change(body)",
  },
} as const satisfies Record<string, Route>;
