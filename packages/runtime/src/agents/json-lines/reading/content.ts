import { fields, list, nonBlank, text } from "../../fields.ts";

/** The text of a list of content blocks. Blocks without text appear as their type in brackets. */
export function blocksText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const parts = list(content).flatMap((entry) => {
    const block = fields(entry);
    return text(block.text) ?? (nonBlank(block.type) ? `[${block.type}]` : []);
  });
  return parts.length > 0 ? parts.join("\n") : undefined;
}
