// Builds the page into dist/page/, which the daemon serves. The bootstrap runs it when a source is newer.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root } from "../steps.ts";
import { publishBuild } from "./publish-build.ts";

const dist = join(root, "dist");
const draft = join(dist, `draft.${process.pid}`);
const started = new Date();
mkdirSync(dist, { recursive: true });
// The `NODE_ENV` of a test runner would produce a development build.
process.env.NODE_ENV = "production";
await build({
  configFile: join(root, "packages/web/vite.config.ts"),
  logLevel: "warn",
  build: { outDir: draft, emptyOutDir: true },
});
publishBuild(dist, "page", draft);
const stamp = join(dist, ".page-stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
