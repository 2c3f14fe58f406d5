export type { Component, Focusable, KeyId, Terminal, TUI, TuiMouseEvent } from "@earendil-works/pi-tui";
export {
  CURSOR_MARKER,
  fuzzyFilter,
  getCapabilities,
  Input,
  isKeyRelease,
  KeybindingsManager,
  matchesKey,
  ProcessTerminal,
  parseKey,
  SelectList,
  setKeybindings,
  TUI_KEYBINDINGS,
  TuiAltScreen,
} from "@earendil-works/pi-tui";
export { ImageChips } from "./attachments.ts";
export { type CompletionSources, createCompletion, type FileItem, type SlashItem } from "./completion.ts";
export { Composer, type ComposerOptions } from "./composer.ts";
export { ScrollbackScreen } from "./scrollback-screen.ts";
export { selectListTheme } from "./themes.ts";
