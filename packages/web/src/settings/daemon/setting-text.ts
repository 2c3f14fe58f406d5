import type { Setting, SettingValue } from "@gantry/protocol";

/** A value as the text of a field. */
export function formatSetting(value: SettingValue | undefined): string {
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Parses the text of a field. `null` for an empty text, which means the default; `undefined` if it is not valid. */
export function parseSetting(type: Setting["type"], text: string): SettingValue | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (type === "number") return Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
  if (type === "list") return trimmed.split(/\s*,\s*/).filter(Boolean);
  return text;
}
