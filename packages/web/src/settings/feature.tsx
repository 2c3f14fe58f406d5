import { Settings } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { setPreference } from "../store/preferences.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const SettingsPage = lazyView(() => import("./settings.tsx"));

export const settingsFeature: Feature = {
  routes: [{ path: "/settings", title: "Settings", view: SettingsPage }],
  navigation: { href: "/settings", name: "Settings", icon: <Settings size={15} />, keys: "g s" },
  commands: [
    { name: "Show agent processes", hint: "settings", run: "/settings?tab=processes" },
    { name: "Change defaults of new sessions", hint: "settings", run: "/settings?tab=defaults" },
    { name: "Notifications on this device", hint: "settings", run: "/settings?tab=phone" },
    { name: "Show schedules", hint: "settings", run: "/settings?tab=schedules" },
    { name: "Use light theme", hint: "theme", run: () => setPreference("theme", "light") },
    { name: "Use dark theme", hint: "theme", run: () => setPreference("theme", "dark") },
    { name: "Use system theme", hint: "theme", run: () => setPreference("theme", "system") },
  ],
};
