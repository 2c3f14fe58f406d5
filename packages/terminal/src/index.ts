export { EditBuffer } from "./input/edit-buffer.ts";
export { configuredEditor, EditorError, editFile, editText } from "./input/external-editor.ts";
export { KeyReader, normalizeChord } from "./input/keys.ts";
export { type Choice, Picker } from "./input/picker.ts";
export { type AskOptions, askLine, confirm, type PromptStreams } from "./input/prompt.ts";
export { openPromptHistory, type PromptHistory } from "./input/prompt-history.ts";
export { renderChangeCount, renderDiff, splitDiff } from "./render/diff.ts";
export { renderFacts, renderTable } from "./render/table.ts";
export { type LiveRows, Painter } from "./screen/painter.ts";
export { liveSurface, plainSurface, type Surface } from "./screen/surface.ts";
export {
  formatAge,
  formatAgo,
  formatAmount,
  formatBytes,
  formatDollars,
  formatDuration,
  formatTokens,
  formatUsage,
  pluralize,
} from "./text/figures.ts";
export { firstLine, homePath, insidePath, shortId } from "./text/names.ts";
export { makePaint, type Paint, wantsColour } from "./text/paint.ts";
export { type ColourDepth, detectTheme, makeTheme, type Scheme, type Theme, themeOf } from "./text/theme.ts";
export { breakText, hangText, padText, stripControls, textWidth, truncateText, wrapText } from "./text/width.ts";
