import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import type { Theme } from "../text/theme.ts";
import { highlightCode } from "./highlight.ts";
import { MarkdownBlocks, type MarkdownPart } from "./markdown-blocks.ts";

const styles = new WeakMap<Theme, MarkdownTheme>();

/** A whole text as rows: tables, lists, highlighted code. */
export function renderMarkdown(text: string, width: number, theme: Theme): string[] {
  const blocks = new MarkdownBlocks();
  return [...blocks.add(text), ...blocks.finish()].flatMap((part) => renderPart(part, width, theme));
}

/** The rows of one part of a message, each at most `width` cells wide. */
export function renderPart(part: MarkdownPart, width: number, theme: Theme): string[] {
  const rows = part.kind === "code" ? codeRows(part, width, theme) : textRows(part.text, width, theme);
  return part.gap ? ["", ...rows] : rows;
}

function textRows(text: string, width: number, theme: Theme): string[] {
  const rows = new Markdown(text, 0, 0, markdownTheme(theme), undefined, { renderLatex: false }).render(width);
  return rows.map((row) => row.trimEnd());
}

function codeRows(part: MarkdownPart & { kind: "code" }, width: number, theme: Theme): string[] {
  const skipped = part.before === "" ? 0 : part.before.split("\n").length;
  const whole = skipped === 0 ? part.code : `${part.before}\n${part.code}`;
  const lines = highlightCode(whole, part.language, theme).slice(skipped);
  return lines.flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, width - 2).map((row) => `  ${row}`)));
}

/** Without colour the marks of emphasis and code stay. */
function markdownTheme(theme: Theme): MarkdownTheme {
  const known = styles.get(theme);
  if (known) return known;
  const surroundWith = (mark: string) => (text: string) => `${mark}${text}${mark}`;
  const plain = (text: string) => text;
  const made: MarkdownTheme = {
    heading: theme.enabled ? theme.cyan : plain,
    link: theme.underline,
    linkUrl: theme.dim,
    code: theme.enabled ? theme.cyan : surroundWith("`"),
    codeBlock: plain,
    codeBlockBorder: theme.dim,
    quote: theme.dim,
    quoteBorder: theme.dim,
    hr: theme.dim,
    listBullet: theme.cyan,
    bold: theme.enabled ? theme.bold : plain,
    italic: theme.italic,
    strikethrough: theme.dim,
    underline: plain,
    highlightCode: (code, language) => highlightCode(code, language, theme),
  };
  styles.set(theme, made);
  return made;
}
