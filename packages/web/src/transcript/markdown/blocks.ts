import { Lexer, type Token } from "marked";

/** One block of a text. The raw texts of all blocks put together are the text. */
export type Block = { raw: string; type: string };
export type Blocks = { text: string; blocks: readonly Block[] };

/** Beyond these, a block or a stretch of text is shown as it was written: looking for emphasis in it could take seconds. */
const LONGEST_BLOCK = 60_000;
const LONGEST_TEXT = 6000;
/** And so is one of quotes in quotes in quotes, which no browser could lay out. */
const DEEPEST = 40;

/**
 * Divides a text into its blocks. Of a text that has only grown since `before`, all but the end is taken over, so that a
 * text that streams costs no more the longer it is.
 */
export function divide(source: string, before?: Blocks): Blocks {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  if (before && before.text === text) return before;
  const kept = before && text.startsWith(before.text) ? finished(before.blocks) : [];
  const done = kept.reduce((length, block) => length + block.raw.length, 0);
  return { text, blocks: [...kept, ...lexed(text.slice(done))] };
}

/** The parts of one block, ready to be drawn; `undefined` when it is drawn as it was written. */
export function parseBlock({ raw, type }: Block): Token[] | undefined {
  if (type === "plain" || (type !== "code" && raw.length > LONGEST_BLOCK)) return undefined;
  try {
    const lexer = new Lexer();
    const tokens = lexer.blockTokens(raw, []);
    for (const { src, tokens: inside } of lexer.inlineQueue) {
      if (src.length > LONGEST_TEXT) inside.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, inside);
    }
    return depthOf(tokens) > DEEPEST ? undefined : tokens;
  } catch {
    return undefined;
  }
}

/** A text that is nested so deep that the lexer gives up is one plain block. */
function lexed(text: string): Block[] {
  try {
    return new Lexer().blockTokens(text, []).map(({ raw, type }: Token) => ({ raw, type }));
  } catch {
    return [{ raw: text, type: "plain" }];
  }
}

function depthOf(tokens: readonly Token[]): number {
  let [depth, level] = [0, tokens];
  while (level.length > 0 && depth <= DEEPEST) {
    depth++;
    level = level.flatMap((token) => ("items" in token ? token.items : ("tokens" in token && token.tokens) || []));
  }
  return depth;
}

/** All blocks that more text cannot change: a list or a quote goes on after an empty line. */
function finished(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.type !== "space");
  return last < 0 ? [] : blocks.slice(0, last);
}
