import { useLocation, useSearch } from "wouter";
import { AllSchedules } from "../schedules/all-schedules.tsx";
import { TrustedFolders } from "../trust/trusted-folders.tsx";
import { type Tab, Tabs } from "../ui/controls/tabs.tsx";
import { View } from "../ui/layout/view.tsx";
import { DaemonSettings } from "./daemon/daemon-settings.tsx";
import { DefaultSettings } from "./defaults/default-settings.tsx";
import { Grants } from "./grants.tsx";
import { Servers } from "./kit/servers.tsx";
import { Skills } from "./kit/skills.tsx";
import { PagePreferences } from "./page-preferences.tsx";
import { PhoneSettings } from "./phone/phone-settings.tsx";
import { Processes } from "./processes/processes.tsx";
import { Profiles } from "./profiles.tsx";

const tabs: readonly Tab[] = [
  { id: "page", name: "This page", content: () => <PagePreferences /> },
  { id: "phone", name: "Phone", content: () => <PhoneSettings /> },
  { id: "daemon", name: "Daemon", content: () => <DaemonSettings /> },
  { id: "defaults", name: "Defaults", content: () => <DefaultSettings /> },
  { id: "processes", name: "Processes", content: () => <Processes /> },
  { id: "profiles", name: "Profiles", content: () => <Profiles /> },
  { id: "servers", name: "MCP servers", content: () => <Servers /> },
  { id: "skills", name: "Skills", content: () => <Skills /> },
  { id: "schedules", name: "Schedules", content: () => <AllSchedules /> },
  { id: "grants", name: "Permissions", content: () => <Grants /> },
  { id: "trust", name: "Trusted folders", content: () => <TrustedFolders /> },
];

/** All settings in tabs. The open tab is in the address. */
export default function SettingsPage() {
  const chosen = new URLSearchParams(useSearch()).get("tab") ?? "page";
  const [, go] = useLocation();
  return (
    <View title="Settings">
      <Tabs
        label="Settings"
        tabs={tabs}
        chosen={chosen}
        onChoose={(id) => go(`/settings?tab=${id}`, { replace: true })}
      />
    </View>
  );
}
