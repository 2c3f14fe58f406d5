import { Fragment } from "react";

/** A sentence in which text between backticks is rendered as code. */
export function InlineCode({ text }: { text: string }) {
  return text.split("`").map((piece, at) => {
    const key = `${at} ${piece}`;
    return at % 2 === 1 ? (
      <code key={key} className="rounded bg-ink/7 px-1 font-mono text-[0.92em]">
        {piece}
      </code>
    ) : (
      <Fragment key={key}>{piece}</Fragment>
    );
  });
}
