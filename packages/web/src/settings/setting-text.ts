import type { Setting, SettingValue } from "@gantry/protocol";

/** A value as it stands in a text field. */
export function writtenSetting(value: SettingValue | undefined): string {
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** What was typed, as a value of the type; `null` for nothing, which is the default; `undefined` when it is none. */
export function readSetting(type: Setting["type"], text: string): SettingValue | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (type === "number") return Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
  if (type === "list") return trimmed.split(/\s*,\s*/).filter(Boolean);
  return text;
}
