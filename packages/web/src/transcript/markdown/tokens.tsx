import type { Tokens as Kinds, MarkedToken, Token } from "marked";
import type { ReactNode } from "react";
import { CodeBlock } from "../../code/code-block.tsx";
import { ExactText } from "../../ui/text/exact-text.tsx";
import { SessionImage } from "../output/session-image.tsx";
import { useTranscriptSession } from "../view/context.ts";
import { SafeLink } from "./link.tsx";
import { imageSource } from "./safe-url.ts";

/** Renders Markdown tokens. HTML is rendered as text. `open`: the text is still streaming. */
export function Tokens({ tokens, open = false }: { tokens: readonly Token[]; open?: boolean }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no ids.
  return tokens.map((token, index) => <Part key={index} token={token as MarkedToken} open={open} />);
}

function Part({ token, open }: { token: MarkedToken; open: boolean }): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "heading":
      // All headings have one level, because agents skip levels and a page must not.
      return <h2 data-level={token.depth}>{renderInner(token)}</h2>;
    case "paragraph":
      return <p>{renderInner(token)}</p>;
    case "blockquote":
      return (
        <blockquote>
          <Tokens tokens={token.tokens} open={open} />
        </blockquote>
      );
    case "code":
      return <CodeBlock text={token.text} language={token.lang?.split(/\s/)[0]} streaming={open} />;
    case "list":
      return <List list={token} open={open} />;
    case "table":
      return <Table table={token} />;
    case "text":
      return token.tokens ? <Tokens tokens={token.tokens} /> : decodeEntities(token.text);
    default:
      return <Inline token={token} />;
  }
}

function Inline({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{renderInner(token)}</strong>;
    case "em":
      return <em>{renderInner(token)}</em>;
    case "del":
      return <del>{renderInner(token)}</del>;
    case "codespan":
      return (
        <code>
          <ExactText text={token.text} />
        </code>
      );
    case "link":
      return token.text === token.href ? <SafeLink href={token.href} /> : <NamedLink link={token} />;
    case "image":
      return <Image image={token} />;
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

function NamedLink({ link }: { link: Kinds.Link }) {
  return <SafeLink href={link.href}>{renderInner(link)}</SafeLink>;
}

function Image({ image }: { image: Kinds.Image }) {
  const session = useTranscriptSession();
  const source = session && imageSource(image.href);
  if (!source) return <SafeLink href={image.href}>{image.text || image.href}</SafeLink>;
  const look = { alt: image.text, className: "max-h-96 max-w-full rounded-md border border-line" };
  if ("path" in source) return <SessionImage session={session} path={source.path} {...look} />;
  // biome-ignore lint/a11y/useAltText: it is in `look`.
  return <img src={source.src} {...look} />;
}

function List({ list, open }: { list: Kinds.List; open: boolean }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item keeps its index while the list grows.
    <li key={index} data-task={item.task || undefined}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly disabled aria-label={item.text} />}
      <Tokens tokens={item.tokens.filter((token) => token.type !== "checkbox")} open={open} />
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? undefined : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Kinds.Table }) {
  const style = (column: number) => ({ textAlign: table.align[column] ?? undefined });
  return (
    <div className="overflow-x-auto">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids.
              <th key={column} style={style(column)}>
                <Tokens tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids.
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids.
                <td key={column} style={style(column)}>
                  <Tokens tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderInner(token: { tokens?: Token[]; text: string }): ReactNode {
  return token.tokens ? <Tokens tokens={token.tokens} /> : token.text;
}

/** Decodes the entities that the lexer leaves in text. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#?[a-z0-9]+);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};
