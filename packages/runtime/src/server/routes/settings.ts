import type { Handlers } from "../handler.ts";
import type { SettingService } from "../ports.ts";

export function settingRoutes(settings: SettingService): Pick<Handlers, "getSettings" | "patchSettings"> {
  return {
    getSettings: () => ({ json: settings.list() }),
    patchSettings: ({ body }) => ({ json: settings.change(body) }),
  };
}
