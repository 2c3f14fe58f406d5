import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import dark from "shiki/themes/github-dark-default.mjs";
import light from "shiki/themes/github-light-high-contrast.mjs";
import type { HighlightAnswer, HighlightQuestion, Span } from "./highlight.ts";
import { languages } from "./languages.ts";

// The page's thread is for the reader: grammars run here, one text after the other.
const themes = { light: light.name ?? "", dark: dark.name ?? "" };
let made: Promise<HighlighterCore> | undefined;

addEventListener("message", async ({ data }: MessageEvent<HighlightQuestion>) => {
  const { id, text, language } = data;
  const answer: HighlightAnswer = { id, lines: await highlighted(text, language).catch(() => undefined) };
  postMessage(answer);
});

async function highlighted(text: string, language: string): Promise<Span[][] | undefined> {
  const load = languages[language];
  if (!load) return undefined;
  made ??= createHighlighterCore({
    themes: [light, dark],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await made;
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage((await load()).default);
  const lines = highlighter.codeToTokensWithThemes(text, { lang: language, themes });
  return lines.map((line) =>
    line.map(({ content, variants }) => [content, darker(variants.light?.color), variants.dark?.color ?? ""]),
  );
}

/** The theme's grey of comments is made for white paper, and is too pale on a ground of another colour. */
function darker(color = ""): string {
  return color.toUpperCase() === "#66707B" ? "#4F5760" : color;
}
