import "./prose.css";
import { memo, useRef } from "react";
import { type Block, type Blocks, divide, parseBlock } from "./blocks.ts";
import { Tokens } from "./tokens.tsx";

/** A text in Markdown. While it streams, only its last block is read and drawn again. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const before = useRef<Blocks>(undefined);
  const divided = divide(text, before.current);
  before.current = divided;
  const last = divided.blocks.length - 1;
  return (
    <div className="prose" dir="auto">
      {divided.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place while the text grows.
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
