import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Preformatted } from "../ui/display/preformatted.tsx";
import { clip } from "../ui/text/clip.ts";
import { ExactText } from "../ui/text/exact-text.tsx";
import { HighlightedCode } from "./highlighted-code.tsx";
import { useHighlight } from "./use-highlight.ts";

type CodeBlockProps = {
  text: string;
  language?: string;
  /** The text is still streaming; it is highlighted when it is complete. */
  streaming?: boolean;
};

const CLIP = { lines: 200, lineLength: 2000, from: "head" } as const;

/** Code with a copy button, highlighted as soon as the highlighter has loaded. */
export function CodeBlock({ text, language, streaming = false }: CodeBlockProps) {
  const [whole, setWhole] = useState(false);
  const clipped = clip(text, CLIP);
  const isCut = clipped.lines > 0 || clipped.characters > 0;
  const shown = whole ? text : clipped.text;
  const lines = useHighlight(shown, streaming ? undefined : language);
  return (
    <figure className="group/code relative overflow-hidden rounded-md border border-line bg-page">
      <CopyButton text={text} />
      <Preformatted label={language ? `Code in ${language}` : "Code"} className="px-3 py-2">
        <code>{lines ? <HighlightedCode lines={lines} /> : <ExactText text={shown} />}</code>
      </Preformatted>
      {isCut && (
        <button
          type="button"
          onClick={() => setWhole(!whole)}
          className="w-full border-t border-line px-3 py-1 text-left text-2xs font-medium text-accent hover:bg-hover"
        >
          {whole ? "Show less" : `Show all ${text.split("\n").length.toLocaleString("en")} lines`}
        </button>
      )}
    </figure>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label="Copy code"
      title="Copy code"
      className="absolute top-1 right-1 rounded bg-page p-1 text-faint opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100 hover:text-ink"
    >
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </button>
  );
}
