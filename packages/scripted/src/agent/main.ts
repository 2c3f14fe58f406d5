#!/usr/bin/env node
// The scripted agent: main.ts [--fault name[:argument]]… [--pace ms] [--script agent|model]
import { runAgent } from "./run.ts";
import { scripted } from "./scripted.ts";

await runAgent({ scripted }, process.argv.slice(2));
