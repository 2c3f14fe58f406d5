#!/usr/bin/env node
// A fake coding agent: main.ts --dialect claude [--fault name[:argument]]… [--pace ms] [--script agent|model] [-- vendor arguments]
import { enableCompileCache } from "node:module";

// Tests start this program thousands of times. With the cache a start costs a quarter of the CPU time.
enableCompileCache();
const { runFakeAgent } = await import("./run.ts");
await runFakeAgent(process.argv.slice(2));
