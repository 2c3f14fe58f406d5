import "./prose.css";
import { memo, useRef } from "react";
import { type Block, type Blocks, parseBlock, splitBlocks } from "./blocks.ts";
import { Tokens } from "./tokens.tsx";

/** Renders Markdown. While the text streams, only its last block is parsed and rendered again. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const before = useRef<Blocks>(undefined);
  const split = splitBlocks(text, before.current);
  before.current = split;
  const last = split.blocks.length - 1;
  return (
    <div className="prose" dir="auto">
      {split.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its index while the text grows.
        <BlockView key={index} raw={block.raw} type={block.type} open={streaming && index === last} />
      ))}
    </div>
  );
}

const BlockView = memo(function BlockView({ raw, type, open }: Block & { open: boolean }) {
  if (type === "space") return null;
  const tokens = parseBlock({ raw, type });
  if (!tokens) return <p className="whitespace-pre-wrap">{raw}</p>;
  return <Tokens tokens={tokens} open={open} />;
});
