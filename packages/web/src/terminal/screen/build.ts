import { join } from "node:path";
import type { Plugin } from "vite";

const DOCUMENT = join(import.meta.dirname, "styled-document.ts");

/**
 * Build plugin that replaces `document` in xterm's module by `styledDocument`. xterm's own option for that,
 * `documentOverride`, does not cover its lines and scroll bar in version 6.0.0.
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
