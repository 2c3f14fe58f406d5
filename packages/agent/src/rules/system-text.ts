import type { ContextFile } from "./context-files.ts";
import type { Rule } from "./rule.ts";

/** The blocks for the system prompt: instructions of the folders, rules that always apply, and the list of other rules. */
export function systemBlocks(
  context: readonly ContextFile[],
  always: readonly Rule[],
  book: readonly Rule[],
): string[] {
  const blocks: string[] = [];
  if (context.length > 0) {
    const files = context.map(({ path, content }) => `<file path=${JSON.stringify(path)}>\n${content}\n</file>`);
    blocks.push(`# Instructions of this project\n\nWhere they differ, the later one applies.\n\n${files.join("\n\n")}`);
  }
  blocks.push(...always.map(({ content }) => content).filter((content) => content !== ""));
  if (book.length > 0) {
    const rows = book.map(({ name, description, globs = [] }) =>
      [`- \`rule://${encodeURI(name)}\`: ${description}`, ...globs.map((glob) => `<glob>${glob}</glob>`)].join(" "),
    );
    blocks.push(`# Rules\n\nRead \`rule://<name>\` before you work on its subject.\n\n${rows.join("\n")}`);
  }
  return blocks;
}
