import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import dark from "shiki/themes/github-dark-default.mjs";
import light from "shiki/themes/github-light-high-contrast.mjs";
import type { CodeSpan, HighlightRequest, HighlightResponse } from "./highlight.ts";
import { languages } from "./languages.ts";

// Grammars run in this worker, one text at a time, to keep the main thread responsive.
const themes = { light: light.name ?? "", dark: dark.name ?? "" };
let highlighter: Promise<HighlighterCore> | undefined;

addEventListener("message", async ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, text, language } = data;
  const answer: HighlightResponse = { id, lines: await highlightText(text, language).catch(() => undefined) };
  postMessage(answer);
});

async function highlightText(text: string, language: string): Promise<CodeSpan[][] | undefined> {
  const load = languages[language];
  if (!load) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [light, dark],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage((await load()).default);
  const lines = shiki.codeToTokensWithThemes(text, { lang: language, themes });
  return lines.map((line) =>
    line.map(({ content, variants }) => [content, fixContrast(variants.light?.color), variants.dark?.color ?? ""]),
  );
}

/** The theme's comment gray is made for a white background and has too little contrast on the page's. */
function fixContrast(color = ""): string {
  return color.toUpperCase() === "#66707B" ? "#4F5760" : color;
}
