import { createHash } from "node:crypto";
import { join } from "node:path";
import { build, type Plugin } from "vite";

/**
 * Build plugin that writes `service-worker.js` as one classic script. The build's id is a hash of all file names, which have
 * hashes of their contents, so the worker differs whenever the page does.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    async generateBundle(_options, bundle) {
      const names = Object.keys(bundle).toSorted().join("\n");
      const id = createHash("sha256").update(names).digest("hex").slice(0, 12);
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: await buildWorker(id) });
    },
  };
}

async function buildWorker(id: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: "warn",
    define: { GANTRY_BUILD: JSON.stringify(id) },
    build: {
      write: false,
      target: "es2022",
      lib: { entry: join(import.meta.dirname, "service-worker.ts"), formats: ["iife"], name: "gantryWorker" },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("service-worker.ts was not built");
  return output.output[0].code;
}
