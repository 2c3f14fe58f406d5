// Bundles the command line, and with it the daemon, into dist/gantry/. Run by the bootstrap when a source is newer.
import { copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../steps.ts";
import { oneLanguage } from "./one-language.ts";

const dist = join(root, "dist");
const draft = join(dist, `gantry.${process.pid}`);
const started = new Date();

/** Of `node:http`: everything but the classes of web sockets. */
const httpNames =
  "Agent, ClientRequest, IncomingMessage, METHODS, OutgoingMessage, STATUS_CODES, Server, ServerResponse, createServer, get, request";

/**
 * An ES import of `node:http` evaluates all its exports, and those of web sockets load the whole of undici: a quarter of
 * the time to start. Taken from the object, they are left alone.
 */
const leanHttp = {
  name: "lean-http",
  resolveId: (id: string) => (/^(node:)?http$/.test(id) ? "\0lean-http" : null),
  load: (id: string) =>
    id === "\0lean-http"
      ? `const http = process.getBuiltinModule("node:http"); export default http; export const { ${httpNames} } = http;`
      : null,
};

/** What has machine code in it, or finds its own files beside itself, stays where it is installed. */
const external = [/^@ast-grep\//, /^@vscode\/ripgrep/, /^@lydell\/node-pty/];

const input = join(root, "packages/cli/src/main.ts");
const plugins = [oneLanguage, leanHttp];
const bundle = await rolldown({ input, platform: "node", logLevel: "warn", external, plugins });
await bundle.write({ dir: draft, format: "esm", chunkFileNames: "[name]-[hash].js" });
copyFileSync(join(root, "packages/runtime/src/server/page.html"), join(draft, "page.html"));
copyFileSync(join(root, "packages/runtime/src/prices/prices.gen.json"), join(draft, "prices.gen.json"));
copyFileSync(join(root, "packages/models/src/catalogue/catalogue.gen.json"), join(draft, "catalogue.gen.json"));
for (const runner of ["runner.mjs", "runner.py"]) {
  copyFileSync(join(root, "packages/agent/src/tools/eval", runner), join(draft, runner));
}
writeFileSync(join(draft, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
copyFileSync(join(root, "packages/cli/package.json"), join(dist, "package.json"));

// Whoever runs the old one has it open or loads the rest of it from where it was moved to; it goes at the next build.
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
