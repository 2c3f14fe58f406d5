import { extname } from "node:path";

/** Language by file extension, with the parser's names. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ".ts": "TypeScript",
  ".mts": "TypeScript",
  ".cts": "TypeScript",
  ".tsx": "Tsx",
  ".js": "JavaScript",
  ".mjs": "JavaScript",
  ".cjs": "JavaScript",
  ".jsx": "JavaScript",
  ".html": "Html",
  ".htm": "Html",
  ".css": "Css",
};

export const KNOWN_LANGUAGES = "TypeScript, TSX, JavaScript, JSX, HTML and CSS";

export function languageOf(path: string): string | undefined {
  return LANGUAGES[extname(path).toLowerCase()];
}

export const LANGUAGE_GLOB = `*.{${Object.keys(LANGUAGES)
  .map((ending) => ending.slice(1))
  .join(",")}}`;
