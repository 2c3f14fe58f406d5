import { askForNotifications, notificationState, stopNotifications } from "../shell/notifications/notifications.ts";
import { useCell } from "../store/cell.ts";
import { type Preferences, preferences, setPreference } from "../store/preferences.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { SettingRow } from "./setting-row.tsx";

const themes = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];
const sendKeys = [
  { value: "enter", label: "Enter" },
  { value: "mod-enter", label: "Ctrl+Enter or ⌘+Enter" },
];
const diffs = [
  { value: "unified", label: "Unified" },
  { value: "split", label: "Side by side" },
];

/** Display preferences, stored in this browser. */
export function PagePreferences() {
  const now = useCell(preferences);
  const set =
    <K extends keyof Preferences>(key: K) =>
    (value: string) =>
      setPreference(key, value as Preferences[K]);
  return (
    <>
      <SettingRow name="Theme">
        <Select label="Theme" value={now.theme} choices={themes} onChoose={set("theme")} />
      </SettingRow>
      <SettingRow name="Send message with" about="The other key inserts a line break.">
        <Select label="Send message with" value={now.sendKey} choices={sendKeys} onChoose={set("sendKey")} />
      </SettingRow>
      <SettingRow name="Diff layout">
        <Select label="Diff layout" value={now.diff} choices={diffs} onChoose={set("diff")} />
      </SettingRow>
      <SettingRow
        name="Notifications"
        about="When an agent needs you or finishes a turn in a session you are not looking at."
      >
        <Notifications />
      </SettingRow>
    </>
  );
}

function Notifications() {
  const state = useCell(notificationState);
  if (state === "unsupported") return <span className="text-faint">Not supported by this browser</span>;
  if (state === "blocked") return <span className="text-faint">Blocked in your browser's settings for this page</span>;
  if (state === "on") return <Button onClick={stopNotifications}>Turn off</Button>;
  return <Button onClick={() => void askForNotifications()}>Turn on</Button>;
}
