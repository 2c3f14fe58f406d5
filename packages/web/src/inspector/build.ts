import { join } from "node:path";
import { build, type Plugin } from "vite";

export type BuiltScript = { name: string; code: string };

/**
 * Bundles the inspector's two scripts, each as one classic script without modules. Used by the page's build and by tests.
 */
export function buildInspector(): Promise<BuiltScript[]> {
  return Promise.all(["inspector", "screenshot"].map(buildScript));
}

/** Build plugin that writes the scripts to `inspector/`, where the daemon's previews find them. */
export function inspectorScripts(): Plugin {
  return {
    name: "inspector-scripts",
    apply: "build",
    async generateBundle() {
      for (const { name, code } of await buildInspector())
        this.emitFile({ type: "asset", fileName: `inspector/${name}.js`, source: code });
    },
  };
}

async function buildScript(name: string): Promise<BuiltScript> {
  const entry = join(import.meta.dirname, `${name}.ts`);
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: "warn",
    build: { write: false, target: "es2022", lib: { entry, formats: ["iife"], name: "gantryInspector" } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error(`${name}.ts was not built`);
  return { name, code: output.output[0].code };
}
