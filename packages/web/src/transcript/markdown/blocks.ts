import { Lexer, type Token } from "marked";

/** One block of a text. The concatenated raw texts of all blocks are the text. */
export type Block = { raw: string; type: string };
export type Blocks = { text: string; blocks: readonly Block[] };

/** Longer blocks and inline texts are shown unformatted: the inline lexer could take seconds. */
const MAX_BLOCK = 60_000;
const MAX_INLINE = 6000;
/** Deeper nesting is shown unformatted: browsers cannot lay it out. */
const MAX_DEPTH = 40;

/**
 * Splits a text into blocks. If the text has only grown since `before`, finished blocks are reused, so that the cost of a
 * streaming text does not grow with its length.
 */
export function splitBlocks(source: string, before?: Blocks): Blocks {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  if (before && before.text === text) return before;
  const reused = before && text.startsWith(before.text) ? finishedBlocks(before.blocks) : [];
  const done = reused.reduce((length, block) => length + block.raw.length, 0);
  return { text, blocks: [...reused, ...lexBlocks(text.slice(done))] };
}

/** The tokens of one block; `undefined` if it is shown unformatted. */
export function parseBlock({ raw, type }: Block): Token[] | undefined {
  if (type === "plain" || (type !== "code" && raw.length > MAX_BLOCK)) return undefined;
  try {
    const lexer = new Lexer();
    const tokens = lexer.blockTokens(raw, []);
    for (const { src, tokens: inside } of lexer.inlineQueue) {
      if (src.length > MAX_INLINE) inside.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, inside);
    }
    return depthOf(tokens) > MAX_DEPTH ? undefined : tokens;
  } catch {
    return undefined;
  }
}

/** A text whose nesting overflows the lexer becomes one plain block. */
function lexBlocks(text: string): Block[] {
  try {
    return new Lexer().blockTokens(text, []).map(({ raw, type }: Token) => ({ raw, type }));
  } catch {
    return [{ raw: text, type: "plain" }];
  }
}

function depthOf(tokens: readonly Token[]): number {
  let [depth, level] = [0, tokens];
  while (level.length > 0 && depth <= MAX_DEPTH) {
    depth++;
    level = level.flatMap((token) => ("items" in token ? token.items : ("tokens" in token && token.tokens) || []));
  }
  return depth;
}

/** All blocks that more text cannot change. The last one may continue, such as a list after an empty line. */
function finishedBlocks(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.type !== "space");
  return last < 0 ? [] : blocks.slice(0, last);
}
