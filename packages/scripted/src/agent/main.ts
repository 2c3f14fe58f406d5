#!/usr/bin/env node
// The scripted agent: main.ts [--fault name[:argument]]… [--pace ms] [--script agent|model]
import { enableCompileCache } from "node:module";

enableCompileCache();
const [{ runAgent }, { scripted }] = await Promise.all([import("./run.ts"), import("./scripted.ts")]);
await runAgent({ scripted }, process.argv.slice(2));
