import type { Setting, SettingList, SettingValue } from "@gantry/protocol";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { SettingRow } from "../setting-row.tsx";
import { SettingControl } from "./setting-control.tsx";
import { settingLabel } from "./setting-label.ts";

/**
 * A form for `config.yml`, or for the settings with these keys. A change is written to the file, and its comments are
 * preserved.
 */
export function DaemonSettings({ keys }: { keys?: readonly string[] }) {
  const { value, error, reload } = useQuery("settings", client.settings.get);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  const change = async (setting: Setting, next: SettingValue | null) => {
    try {
      const { applied } = await client.settings.change({ [setting.key]: next });
      if (applied.some(({ takesEffect }) => takesEffect === "restart"))
        toast({ tone: "info", text: "Saved. Takes effect after the daemon restarts." });
    } catch (failed) {
      toastError(failed);
    }
    reload();
  };
  return (
    <>
      {!keys && (
        <p className="mb-2 text-soft">
          Stored in <code className="font-mono text-xs break-all">{value.path}</code>
        </p>
      )}
      <FileProblems list={value} />
      {(keys ? pickSettings(value, keys) : value.settings.filter(hasNoTab)).map((setting) => (
        <SettingRow key={setting.key} name={settingLabel(setting.key)} about={aboutOf(setting)}>
          <SettingControl setting={setting} onChange={(next) => void change(setting, next)} />
          {isChanged(setting) && (
            <Button
              look="quiet"
              aria-label={`Reset ${settingLabel(setting.key)}`}
              onClick={() => void change(setting, null)}
            >
              Reset
            </Button>
          )}
        </SettingRow>
      ))}
    </>
  );
}

function pickSettings({ settings }: SettingList, keys: readonly string[]): Setting[] {
  return keys.flatMap((key) => settings.filter((setting) => setting.key === key));
}

/** The defaults of new sessions have their own tab. */
function hasNoTab({ key }: Setting): boolean {
  return !key.startsWith("defaults.");
}

function FileProblems({ list }: { list: SettingList }) {
  if (list.problems.length === 0) return null;
  return (
    <div role="alert" className="mb-3 rounded-lg border border-bad/40 bg-bad-wash px-4 py-2 text-bad">
      {list.problems.map(({ line, message }) => (
        <p key={`${line} ${message}`}>
          Line {line}: {message}
        </p>
      ))}
      <p className="text-soft">Fix the file first. Until then the values below are in use.</p>
    </div>
  );
}

function aboutOf({ description, takesEffect }: Setting): string {
  return takesEffect === "restart" ? `${description} Takes effect after the daemon restarts.` : description;
}

function isChanged(setting: Setting): boolean {
  return JSON.stringify(setting.value) !== JSON.stringify(setting.default);
}
