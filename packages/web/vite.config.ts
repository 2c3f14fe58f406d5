import { readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { oneLanguage } from "../../scripts/build/one-language.ts";
import { inspectorScripts } from "./src/inspector/build.ts";
import { styledTerminal } from "./src/terminal/screen/build.ts";
import { serviceWorker } from "./src/worker/build.ts";

/** Puts `first.js` into the document: as a file it would be a request that the first paint waits for. */
const inlineFirstScript: Plugin = {
  name: "inline-first-script",
  transformIndexHtml: {
    order: "pre",
    handler(html) {
      const text = readFileSync(join(import.meta.dirname, "src/first.js"), "utf8");
      const script = text.replace(/^\s*\/\/.*\n/gm, "");
      return html.replace('<script src="./src/first.js"></script>', () => `<script>\n${script}</script>`);
    },
  },
};

/** `npm run dev` serves the sources and sends calls to the daemon at `GANTRY_URL`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    inlineFirstScript,
    oneLanguage,
    react(),
    tailwindcss(),
    inspectorScripts(),
    styledTerminal(),
    serviceWorker(),
  ],
  server: { proxy: { "/v1": { target: process.env.GANTRY_URL ?? "http://127.0.0.1:4260", changeOrigin: true } } },
  // The highlighter's thread fetches its grammars one by one.
  worker: { format: "es" },
  build: {
    outDir: join(import.meta.dirname, "../../dist/page"),
    emptyOutDir: true,
    target: "es2023",
    // The policy of the page allows no inline code but `first.js`, and data URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // The first view comes in one chunk: every further file would be a request before the first paint. Schemas take long to
    // build and are needed by few views: they are a separate chunk that the first paint does not wait for.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: "first-view",
              test: (id) => !buildsSchemas(id),
              name: (id, graph) => {
                firstView ??= staticImports(join(import.meta.dirname, "src/main.tsx"), graph);
                return firstView.has(id) ? "first-view" : null;
              },
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

let firstView: ReadonlySet<string> | undefined;

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** The modules that an entry imports, directly or not, without a dynamic import in between. */
function staticImports(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set([entry]);
  // The set grows while it is iterated.
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
