import { type Fields, fields, isFields, list, nonBlank, text } from "../../fields.ts";

/** The text of a content block; images and audio appear as their type. */
export function blockText(block: unknown): string {
  const { type, text: content, uri, name, resource } = fields(block);
  if (type === "text" || typeof content === "string") return text(content) ?? "";
  if (type === "resource") return text(fields(resource).text) ?? `[${nonBlank(fields(resource).uri) ?? "resource"}]`;
  if (type === "resource_link") return `[${nonBlank(name) ?? nonBlank(uri) ?? "link"}]`;
  return nonBlank(type) ? `[${type}]` : "";
}

/** The texts in a tool call's content, without diffs and terminals. */
export function contentText(content: unknown): string | undefined {
  const parts = list(content)
    .map(fields)
    .filter(({ type }) => type !== "diff" && type !== "terminal")
    .map((entry) => stripFence(blockText(entry.content ?? entry)));
  return parts.length > 0 ? parts.join("\n") : undefined;
}

/** The blocks of one type in a tool call's content. Most content has none. */
export function blocksOf(content: unknown, type: string): Fields[] {
  const blocks: Fields[] = [];
  for (const block of list(content)) if (isFields(block) && block.type === type) blocks.push(block);
  return blocks;
}

/** Ids of the terminals that a tool call's content shows. */
export function terminalsIn(content: unknown): string[] {
  return blocksOf(content, "terminal")
    .map(({ terminalId }) => text(terminalId))
    .filter((id) => id !== undefined);
}

/** Some agents wrap a whole output in a code fence, for editors that render it. */
function stripFence(value: string): string {
  return /^```\w*\n([\s\S]*?)\n?```\s*$/.exec(value)?.[1] ?? value;
}
