import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  KeybindingsManager,
  type KeyId,
  matchesKey,
  parseKey,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@gantry/terminal/toolkit";

/** The keys of the full screen belong to the views. */
const FREE = Object.keys(TUI_KEYBINDINGS).filter((name) => name.startsWith("tui.altScreen."));

/**
 * Applies the user's keybindings file, `agent/keybindings.json` of the home folder, which the own agent's terminal reads too:
 * an object of actions and their chords. Actions that do not exist here are ignored, and so is an invalid file.
 */
export function useKeybindings(home: string): void {
  const free = Object.fromEntries(FREE.map((name) => [name, []]));
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, { ...readBindings(home), ...free }));
}

/** The name of a key, such as `ctrl+p` or `shift+y`. Some terminals send old codes for Home and End. */
export function keyName(data: string): string | undefined {
  if (/^[A-Z]$/.test(data)) return `shift+${data.toLowerCase()}`;
  return parseKey(data) ?? OLD_CODES.find((key) => matchesKey(data, key));
}

const OLD_CODES: readonly KeyId[] = ["home", "end", "pageUp", "pageDown", "delete"];

function readBindings(home: string): Record<string, KeyId[]> {
  try {
    const raw: unknown = JSON.parse(readFileSync(join(home, "agent/keybindings.json"), "utf8"));
    const entries = Object.entries(raw as Record<string, unknown>).flatMap(([name, value]) => {
      const chords = typeof value === "string" ? [value] : value;
      const isValid = Array.isArray(chords) && chords.every((chord) => typeof chord === "string");
      return name.startsWith("tui.") && isValid ? [[name, chords.map(normalize)] as const] : [];
    });
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

/** The toolkit's names of keys. */
function normalize(chord: string): KeyId {
  return chord
    .toLowerCase()
    .replace(/\besc\b/, "escape")
    .replace(/\breturn\b/, "enter") as KeyId;
}
