// Bundles the command line with the daemon into dist/gantry/. The bootstrap runs it when a source is newer.
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { bundleCommandLine } from "./bundle-command-line.ts";
import { fillCodeCache } from "./fill-code-cache.ts";
import { publishBuild } from "./publish-build.ts";

const dist = join(root, "dist");
const draft = join(dist, `draft.${process.pid}`);
const started = new Date();

await bundleCommandLine(draft);
mkdirSync(join(dist, "builds"), { recursive: true });
copyFileSync(join(root, "packages/cli/package.json"), join(dist, "builds", "package.json"));

publishBuild(dist, "gantry", draft);
await fillCodeCache(join(dist, "gantry", "main.js"));
const stamp = join(dist, ".stamp");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
