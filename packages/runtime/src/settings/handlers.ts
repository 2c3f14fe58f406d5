import type { RouteResult, SettingChanges, SettingList } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** The daemon's own settings. */
export interface SettingService {
  list(): SettingList;
  /** Throws `invalid` or `conflict`; then nothing has changed. */
  change(changes: SettingChanges): RouteResult<"patchSettings">;
}

export function settingHandlers(settings: SettingService): Pick<Handlers, "getSettings" | "patchSettings"> {
  return {
    getSettings: () => ({ json: settings.list() }),
    patchSettings: ({ body }) => ({ json: settings.change(body) }),
  };
}
