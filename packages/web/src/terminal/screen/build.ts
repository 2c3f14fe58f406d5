import { join } from "node:path";
import type { Plugin } from "vite";

const DOCUMENT = join(import.meta.dirname, "styled-document.ts");

/**
 * For the page's build: xterm's module gets `styledDocument` for its `document`. Its own option for that,
 * `documentOverride`, reaches neither its lines nor its scroll bar in version 6.0.0.
 */
export function styledTerminal(): Plugin {
  return {
    name: "styled-terminal",
    transform: {
      filter: { id: /@xterm\/xterm\/lib\/xterm\.mjs/ },
      handler: (code) => ({
        code: `import { styledDocument as document } from ${JSON.stringify(DOCUMENT)};\n${code.replaceAll("window.document", "document")}`,
        map: null,
      }),
    },
  };
}
