import { askForNotifications, notificationState, stopNotifications } from "../shell/notifications/notifications.ts";
import { useCell } from "../store/cell.ts";
import { type Preferences, preferences, setPreference } from "../store/preferences.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { SettingRow } from "./setting-row.tsx";

const themes = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];
const sendKeys = [
  { value: "enter", label: "Enter sends" },
  { value: "mod-enter", label: "Ctrl or ⌘ with Enter sends" },
];
const diffs = [
  { value: "unified", label: "One below the other" },
  { value: "split", label: "Side by side" },
];

/** How this browser shows things; kept in the browser. */
export function PagePreferences() {
  const now = useCell(preferences);
  const set =
    <K extends keyof Preferences>(key: K) =>
    (value: string) =>
      setPreference(key, value as Preferences[K]);
  return (
    <>
      <SettingRow name="Colours">
        <Select label="Colours" value={now.theme} choices={themes} onChoose={set("theme")} />
      </SettingRow>
      <SettingRow name="Sending" about="The other key breaks the line.">
        <Select label="Sending" value={now.sendKey} choices={sendKeys} onChoose={set("sendKey")} />
      </SettingRow>
      <SettingRow name="Changes in files">
        <Select label="Changes in files" value={now.diff} choices={diffs} onChoose={set("diff")} />
      </SettingRow>
      <SettingRow name="Notifications" about="When an agent needs you or has ended its turn and nobody looks at it.">
        <Notifications />
      </SettingRow>
    </>
  );
}

function Notifications() {
  const state = useCell(notificationState);
  if (state === "unsupported") return <span className="text-faint">This browser has none</span>;
  if (state === "blocked") return <span className="text-faint">Blocked in the browser's settings of this page</span>;
  if (state === "on") return <Button onClick={stopNotifications}>Turn off</Button>;
  return <Button onClick={() => void askForNotifications()}>Turn on</Button>;
}
