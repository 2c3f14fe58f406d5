/** What is completed at the caret: a file after `@`, or a command of the agent after a leading `/`. */
export type Mention = { kind: "file" | "command"; query: string; from: number; to: number };

/** The mention that ends at the caret. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|[\s(])@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", query, from: caret - query.length - 1, to: caret };
}

/** The text with the completed mention, and the new caret position after a space. */
export function completeMention(text: string, mention: Mention, chosen: string): { text: string; caret: number } {
  const sign = mention.kind === "file" ? "@" : "/";
  const after = text.slice(mention.to);
  const space = /^\s/.test(after) ? "" : " ";
  const head = `${text.slice(0, mention.from)}${sign}${chosen}${space}`;
  return { text: head + after, caret: head.length + (space === "" ? 1 : 0) };
}
