// Bundles the command line with the daemon into dist/gantry/. The bootstrap runs it when a source is newer.
import { copyFileSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../steps.ts";
import { fillCodeCache } from "./fill-code-cache.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { oneLanguage } from "./one-language.ts";
import { publishBuild } from "./publish-build.ts";
import { startChunks } from "./start-chunks.ts";

const dist = join(root, "dist");
const draft = join(dist, `draft.${process.pid}`);
const started = new Date();

/** Packages with native code, or that look up files next to themselves, stay unbundled. */
const external = [/^@ast-grep\//, /^@vscode\/ripgrep/, /^@lydell\/node-pty/];

const input = join(root, "packages/cli/src/main.ts");
const plugins = [oneLanguage, { name: "lazy-builtins", renderChunk: lazyBuiltins }];
const bundle = await rolldown({ input, cwd: root, platform: "node", logLevel: "warn", external, plugins });
await bundle.write({
  dir: draft,
  // Node loads and links CommonJS faster than ES modules.
  format: "cjs",
  strict: true,
  // One character outside of Latin-1 makes V8 store the whole text of a chunk with two bytes a character.
  charset: "ascii",
  chunkFileNames: "[name]-[hash].js",
  codeSplitting: startChunks,
  // Names stay as they are, so that stack traces can be read.
  comments: { legal: true, annotation: false, jsdoc: false },
});
await bundleWorkers();
copyFileSync(join(root, "packages/runtime/src/server/page.html"), join(draft, "page.html"));
copyFileSync(join(root, "packages/runtime/src/prices/prices.gen.json"), join(draft, "prices.gen.json"));
copyFileSync(join(root, "packages/models/src/catalogue/catalogue.gen.json"), join(draft, "catalogue.gen.json"));
for (const runner of ["runner.mjs", "runner.py"]) {
  copyFileSync(join(root, "packages/agent/src/tools/eval", runner), join(draft, runner));
}
writeFileSync(join(draft, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
mkdirSync(join(dist, "builds"), { recursive: true });
copyFileSync(join(root, "packages/cli/package.json"), join(dist, "builds", "package.json"));

publishBuild(dist, "gantry", draft);
await fillCodeCache(join(dist, "gantry", "main.js"));
const stamp = join(dist, ".stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);

/** Agents whose program is a library have a worker in their folder: one file each, `<agent>-worker.js`. */
async function bundleWorkers(): Promise<void> {
  const agents = join(root, "packages/runtime/src/agents");
  for (const agent of readdirSync(agents)) {
    const entry = join(agents, agent, "worker", "main.ts");
    if (!existsSync(entry)) continue;
    const worker = await rolldown({ input: entry, cwd: root, platform: "node", logLevel: "warn" });
    await worker.write({ file: join(draft, `${agent}-worker.js`), format: "cjs", strict: true, codeSplitting: false });
  }
}
