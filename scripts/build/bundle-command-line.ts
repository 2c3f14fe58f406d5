import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../steps.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { oneLanguage } from "./one-language.ts";
import { startChunks } from "./start-chunks.ts";

/** Packages with native code, or that look up files next to themselves, stay unbundled. */
export const UNBUNDLED = [/^@ast-grep\//, /^@napi-rs\/image/, /^@vscode\/ripgrep/, /^@lydell\/node-pty/];

/** Files that the code reads next to itself. */
const DATA = [
  "runtime/src/server/page.html",
  "runtime/src/prices/prices.gen.json",
  "models/src/catalogue/catalogue.gen.json",
  "agent/src/tools/eval/runner.mjs",
  "agent/src/tools/eval/runner.py",
];

/** Bundles the command line with the daemon, and the programs that it starts, into `folder`. */
export async function bundleCommandLine(folder: string, options: { sourcemap?: boolean } = {}): Promise<void> {
  const { sourcemap = false } = options;
  const input = join(root, "packages/cli/src/main.ts");
  const plugins = [
    oneLanguage,
    { name: "lazy-builtins", renderChunk: (code: string) => ({ code: lazyBuiltins(code), map: null }) },
  ];
  const bundle = await rolldown({ input, cwd: root, platform: "node", logLevel: "warn", external: UNBUNDLED, plugins });
  await bundle.write({
    dir: folder,
    // Node loads and links CommonJS faster than ES modules.
    format: "cjs",
    strict: true,
    // One character outside of Latin-1 makes V8 store the whole text of a chunk with two bytes a character.
    charset: "ascii",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: startChunks,
    sourcemap,
    // Names stay as they are, so that stack traces can be read.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundleWorkers(folder);
  // The scripted agent awaits at its top level, which only ES modules may.
  await bundleProgram("packages/scripted/src/agent/main.ts", join(folder, "scripted-agent.mjs"), "esm");
  // Loaded on demand and at once, by `textWidth`.
  await bundleProgram("node_modules/@earendil-works/pi-tui/dist/utils.js", join(folder, "measure-text.js"), "cjs");
  mkdirSync(folder, { recursive: true });
  for (const path of DATA) copyFileSync(join(root, "packages", path), join(folder, path.split("/").at(-1) ?? ""));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
}

/** Agents whose program is a library have a worker in their folder: one file each, `<agent>-worker.js`. */
async function bundleWorkers(folder: string): Promise<void> {
  const agents = "packages/runtime/src/agents";
  for (const agent of readdirSync(join(root, agents))) {
    const entry = `${agents}/${agent}/worker/main.ts`;
    if (existsSync(join(root, entry))) await bundleProgram(entry, join(folder, `${agent}-worker.js`), "cjs");
  }
}

/** Bundles a program into one file. */
export async function bundleProgram(entry: string, file: string, format: "cjs" | "esm"): Promise<void> {
  const program = await rolldown({ input: join(root, entry), cwd: root, platform: "node", logLevel: "warn" });
  await program.write({ file, format, strict: true, codeSplitting: false });
}
