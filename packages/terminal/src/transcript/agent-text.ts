import type { Delta, OpenItem } from "@gantry/protocol";
import { MarkdownBlocks, type MarkdownPart } from "../render/markdown-blocks.ts";
import { renderMarkdown, renderPart } from "../render/markdown-rows.ts";
import { themeOf } from "../text/theme.ts";
import { stripControls } from "../text/width.ts";
import type { Entry, Frame } from "./entry.ts";
import { StreamedText } from "./streamed-text.ts";

/**
 * The agent's messages while they stream. In a pipe every line is returned unchanged when it is complete; on a terminal
 * every block of Markdown.
 */
export class AgentText {
  private readonly isPlain: boolean;
  private readonly streamed = new StreamedText();
  private readonly blocks = new MarkdownBlocks();
  private lastItem: string | undefined;

  constructor(isPlain: boolean) {
    this.isPlain = isPlain;
  }

  add(delta: Pick<Delta, "item" | "offset" | "text">): Entry[] {
    return this.entries(delta.item, this.streamed.add(delta));
  }

  restore(open: OpenItem): Entry[] {
    return this.entries(open.item, this.streamed.restore(open));
  }

  finish(item: string, text: string, isNested: boolean): Entry[] {
    const wasOpen = this.streamed.openItem === item;
    const { lines, again } = this.streamed.finish(item, text.trimEnd());
    const notice = again ? ["(the agent changed the message above; in full:)"] : [];
    if (this.isPlain) return this.entries(item, [...notice, ...lines], isNested);
    if (!wasOpen || again) this.blocks.finish();
    if (!wasOpen && !again) return lines.join("\n").trim() === "" ? [] : [wholeEntry(text, isNested)];
    const continues = this.lastItem === item;
    const clean = [...notice, ...lines].map(cleanLine).join("\n");
    const parts = [...this.blocks.add(clean), ...this.blocks.finish()];
    if (parts.length > 0) this.lastItem = item;
    return partEntries(parts, continues, isNested);
  }

  /** Discards open messages that the agent withdrew. Returns whether a part of one was shown. */
  retract(items: readonly string[]): boolean {
    const open = this.streamed.openItem;
    if (!open || !items.includes(open) || !this.streamed.begun) return false;
    this.streamed.drop();
    this.blocks.finish();
    return true;
  }

  /** The unfinished rest of the open message, as rows. */
  openRows(frame: Frame): string[] {
    const rest = stripControls(this.streamed.partial);
    if (this.isPlain || frame.width === undefined) return rest === "" ? [] : rest.split("\n");
    const width = textWidthOf(frame);
    const open = this.streamed.openItem === undefined ? [] : this.blocks.openWith(rest);
    const rows = open.flatMap((part) => renderPart(part, width, themeOf(frame.paint)));
    return rows[0] === "" ? rows.slice(1) : rows;
  }

  private entries(item: string, lines: readonly string[], isNested = false): Entry[] {
    if (lines.length === 0) return [];
    const continues = this.lastItem === item;
    const clean = lines.map(cleanLine);
    const parts = this.isPlain ? [] : this.blocks.add(`${clean.join("\n")}\n`);
    if (this.isPlain || parts.length > 0) this.lastItem = item;
    if (!this.isPlain) return partEntries(parts, continues, isNested);
    const rows = isNested ? clean.map((line) => `  ${line}`) : clean;
    return [{ kind: "text", joined: continues, rows: () => rows }];
  }
}

function cleanLine(line: string): string {
  return stripControls(line.replace(/\r$/, ""));
}

/** A message that did not stream. It is rendered for the width at that time, so it re-wraps as a whole. */
function wholeEntry(text: string, isNested: boolean): Entry {
  const clean = stripControls(text).trim();
  return {
    kind: "text",
    rows: (frame) => {
      const rows = renderMarkdown(clean, textWidthOf(frame, isNested), themeOf(frame.paint));
      return isNested ? rows.map((row) => `  ${row}`) : rows;
    },
  };
}

function partEntries(parts: readonly MarkdownPart[], continues: boolean, isNested: boolean): Entry[] {
  return parts.map((part, index) => ({
    kind: "text" as const,
    joined: continues || index > 0,
    rows: (frame) => {
      const rows = renderPart(part, textWidthOf(frame, isNested), themeOf(frame.paint));
      return isNested ? rows.map((row) => `  ${row}`) : rows;
    },
  }));
}

function textWidthOf({ width = 80 }: Frame, isNested = false): number {
  return Math.max(20, width - (isNested ? 4 : 2));
}
