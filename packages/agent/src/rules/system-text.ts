import type { ContextFile } from "./context-files.ts";
import type { Rule } from "./rule.ts";

/** What a model is told at the start: instructions of the folders, rules that always apply, and which others there are. */
export function systemBlocks(
  context: readonly ContextFile[],
  always: readonly Rule[],
  book: readonly Rule[],
): string[] {
  const blocks: string[] = [];
  if (context.length > 0) {
    const files = context.map(({ path, content }) => `<file path=${JSON.stringify(path)}>\n${content}\n</file>`);
    blocks.push(`# Instructions of this project\n\nWhere they differ the later counts.\n\n${files.join("\n\n")}`);
  }
  blocks.push(...always.map(({ content }) => content).filter((content) => content !== ""));
  if (book.length > 0) {
    const rows = book.map(({ name, description, globs = [] }) =>
      [`- \`rule://${encodeURI(name)}\`: ${description}`, ...globs.map((glob) => `<glob>${glob}</glob>`)].join(" "),
    );
    blocks.push(`# Rules\n\nRead \`rule://<name>\` when you work on what it is about.\n\n${rows.join("\n")}`);
  }
  return blocks;
}
