// Builds the page into dist/page/, which the daemon serves. The bootstrap runs it when a source is newer.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { buildPage } from "./build-page.ts";
import { publishBuild } from "./publish-build.ts";

const dist = join(root, "dist");
const draft = join(dist, `draft.${process.pid}`);
const started = new Date();
mkdirSync(dist, { recursive: true });
await buildPage(draft);
publishBuild(dist, "page", draft);
const stamp = join(dist, ".page-stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
