export { type DiffLine, parseDiff, renderDiffLines, renderDiffRows } from "../render/diff-rows.ts";
export { loadHighlighter } from "../render/highlight.ts";
export { MarkdownBlocks } from "../render/markdown-blocks.ts";
export { renderMarkdown, renderPart } from "../render/markdown-rows.ts";
export { type Entry, type EntryKind, type Frame, renderEntry } from "./entry.ts";
export { type FoldOptions, TranscriptFold } from "./fold.ts";
export { answerHints, renderInput } from "./input.ts";
export { Transcript, type TranscriptOptions } from "./transcript.ts";
