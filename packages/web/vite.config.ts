import { readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { oneLanguage } from "../../scripts/build/one-language.ts";
import { inspectorScripts } from "./src/inspector/build.ts";
import { styledTerminal } from "./src/terminal/screen/build.ts";

const SHARED = /packages\/(protocol\/src|client\/src|web\/src\/(store|ui|shell|composer|transcript|inbox\/card))\//;

/** `npm run dev` serves the sources and sends calls to the daemon at `GANTRY_URL`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [oneLanguage, react(), tailwindcss(), inspectorScripts(), styledTerminal()],
  server: { proxy: { "/v1": { target: process.env.GANTRY_URL ?? "http://127.0.0.1:4260", changeOrigin: true } } },
  // The highlighter's thread fetches its grammars one by one.
  worker: { format: "es" },
  build: {
    outDir: join(import.meta.dirname, "../../dist/page"),
    emptyOutDir: true,
    target: "es2023",
    // The policy of the page allows no inline code, and data URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // A file for every icon would be a request for every icon: what all views share comes in two pieces. Schemas take long
    // to build and are needed by few views: they are a separate chunk that the first paint does not wait for.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "libraries",
              test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|lucide-react|marked|virtua|fuzzysort)\//,
            },
            {
              name: "shared",
              test: (id: string) => SHARED.test(id) && !buildsSchemas(id),
            },
            { name: "schemas", test: buildsSchemas },
          ],
        },
      },
    },
  },
});

/** Is this Zod, or a module of the protocol that makes schemas with it? */
function buildsSchemas(id: string): boolean {
  if (id.includes("/node_modules/zod/")) return true;
  return id.includes("/packages/protocol/src/") && /^import \{[^}]*\} from "zod";$/m.test(readFileSync(id, "utf8"));
}
