import { useEffect, useState } from "react";
import { type CodeSpan, cachedHighlight, highlight } from "./highlight.ts";
import { resolveLanguage } from "./language-names.ts";

/** The highlighted lines of a text once available; immediately if cached. Without a language there are none. */
export function useHighlight(text: string, language: string | undefined): CodeSpan[][] | undefined {
  const name = language && resolveLanguage(language);
  const before = name ? cachedHighlight(text, name) : undefined;
  const [found, setFound] = useState<{ text: string; lines?: CodeSpan[][] }>();
  const isKnown = before !== undefined;
  useEffect(() => {
    if (!name || isKnown) return;
    let mounted = true;
    void highlight(text, name).then((lines) => mounted && setFound({ text, lines }));
    return () => {
      mounted = false;
    };
  }, [text, name, isKnown]);
  return before ?? (found?.text === text ? found.lines : undefined);
}
