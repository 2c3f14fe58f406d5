import type { Setting, SettingValue } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { fieldLook, TextField } from "../../ui/controls/field.tsx";
import { Select } from "../../ui/controls/select.tsx";
import { settingLabel } from "./setting-label.ts";
import { formatSetting, parseSetting } from "./setting-text.ts";

type SettingControlProps = { setting: Setting; onChange: (value: SettingValue | null) => void };

/** The control for a setting's type. Typed values are saved on blur or Enter. */
export function SettingControl({ setting, onChange }: SettingControlProps) {
  const { key, type, value } = setting;
  if (type === "switch")
    return (
      <label className="grid place-items-center">
        <input
          type="checkbox"
          aria-label={settingLabel(key)}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 pointer-coarse:size-5"
        />
      </label>
    );
  if (type === "choice") {
    const choices = (setting.options ?? []).map((option) => ({ value: option, label: option }));
    const unset = setting.default === undefined ? [{ value: "", label: "Not set" }] : [];
    return (
      <Select
        label={settingLabel(key)}
        value={String(value ?? "")}
        choices={[...unset, ...choices]}
        onChoose={(chosen) => onChange(chosen === "" ? null : chosen)}
      />
    );
  }
  return <TypedSetting setting={setting} onChange={onChange} />;
}

function TypedSetting({ setting, onChange }: SettingControlProps) {
  const { key, type, value } = setting;
  const saved = formatSetting(value);
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  const save = () => {
    const read = parseSetting(type, text);
    if (read === undefined) return setText(saved);
    if (text !== saved) onChange(read);
  };
  if (type === "text" && (saved.includes("\n") || saved.length > 60 || key.endsWith("instructions")))
    return (
      <textarea
        aria-label={settingLabel(key)}
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        className={`${fieldLook} h-auto w-72 max-w-full py-1 pointer-coarse:h-auto`}
      />
    );
  return (
    <TextField
      label={settingLabel(key)}
      value={text}
      onChange={setText}
      onBlur={save}
      onKeyDown={(event) => event.key === "Enter" && save()}
      inputMode={type === "number" ? "decimal" : undefined}
      placeholder={type === "list" ? "one, another" : undefined}
      className={type === "number" ? "w-24 text-right tabular-nums" : "w-56 max-w-full"}
    />
  );
}
