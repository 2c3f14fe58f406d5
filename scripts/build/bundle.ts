// Bundles the command line with the daemon into dist/gantry/. The bootstrap runs it when a source is newer.
import { copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../steps.ts";
import { oneLanguage } from "./one-language.ts";

const dist = join(root, "dist");
const draft = join(dist, `gantry.${process.pid}`);
const started = new Date();

/** The exports of `node:http` without the WebSocket classes. */
const httpNames =
  "Agent, ClientRequest, IncomingMessage, METHODS, OutgoingMessage, STATUS_CODES, Server, ServerResponse, createServer, get, request";

/**
 * An ES import of `node:http` evaluates all its exports, and the WebSocket classes load all of undici: a quarter of the
 * start time. Reading single properties of the module object avoids that.
 */
const leanHttp = {
  name: "lean-http",
  resolveId: (id: string) => (/^(node:)?http$/.test(id) ? "\0lean-http" : null),
  load: (id: string) =>
    id === "\0lean-http"
      ? `const http = process.getBuiltinModule("node:http"); export default http; export const { ${httpNames} } = http;`
      : null,
};

/** Packages with native code, or that look up files next to themselves, stay unbundled. */
const external = [/^@ast-grep\//, /^@vscode\/ripgrep/, /^@lydell\/node-pty/];

const input = join(root, "packages/cli/src/main.ts");
const plugins = [oneLanguage, leanHttp];
const bundle = await rolldown({ input, platform: "node", logLevel: "warn", external, plugins });
// Names stay as they are, so that stack traces can be read.
const comments = { legal: true, annotation: false, jsdoc: false };
await bundle.write({ dir: draft, format: "esm", chunkFileNames: "[name]-[hash].js", comments });
copyFileSync(join(root, "packages/runtime/src/server/page.html"), join(draft, "page.html"));
copyFileSync(join(root, "packages/runtime/src/prices/prices.gen.json"), join(draft, "prices.gen.json"));
copyFileSync(join(root, "packages/models/src/catalogue/catalogue.gen.json"), join(draft, "catalogue.gen.json"));
for (const runner of ["runner.mjs", "runner.py"]) {
  copyFileSync(join(root, "packages/agent/src/tools/eval", runner), join(draft, runner));
}
writeFileSync(join(draft, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
copyFileSync(join(root, "packages/cli/package.json"), join(dist, "package.json"));

// A running process may still load chunks of the old bundle, so it is moved and removed only at the next build.
mkdirSync(dist, { recursive: true });
const old = join(dist, "gantry.old");
rmSync(old, { recursive: true, force: true });
try {
  renameSync(join(dist, "gantry"), old);
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
renameSync(draft, join(dist, "gantry"));
const stamp = join(dist, ".stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
