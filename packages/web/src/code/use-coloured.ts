import { useEffect, useState } from "react";
import { colour, colouredBefore, type Span } from "./highlight.ts";
import { languageNamed } from "./language-names.ts";

/** The colours of a text once they are there; at once for one that was shown before. `undefined` names no language. */
export function useColoured(text: string, language: string | undefined): Span[][] | undefined {
  const name = language && languageNamed(language);
  const before = name ? colouredBefore(text, name) : undefined;
  const [found, setFound] = useState<{ text: string; lines?: Span[][] }>();
  const isKnown = before !== undefined;
  useEffect(() => {
    if (!name || isKnown) return;
    let wanted = true;
    void colour(text, name).then((lines) => wanted && setFound({ text, lines }));
    return () => {
      wanted = false;
    };
  }, [text, name, isKnown]);
  return before ?? (found?.text === text ? found.lines : undefined);
}
