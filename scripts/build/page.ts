// Builds the page into dist/page/, which the daemon serves. Run by the bootstrap when a source of it is newer.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root } from "../steps.ts";

const dist = join(root, "dist");
const draft = join(dist, `page.${process.pid}`);
const started = new Date();
mkdirSync(dist, { recursive: true });
// A test runner's own `NODE_ENV` would make it a page for developing.
process.env.NODE_ENV = "production";
await build({
  configFile: join(root, "packages/web/vite.config.ts"),
  logLevel: "warn",
  build: { outDir: draft, emptyOutDir: true },
});
rmSync(join(dist, "page"), { recursive: true, force: true });
renameSync(draft, join(dist, "page"));
const stamp = join(dist, ".page-stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
