#!/usr/bin/env node
// A fake coding agent: main.ts --dialect claude [--fault name[:argument]]… [--pace ms] [--script agent|model] [-- vendor arguments]
import { enableCompileCache } from "node:module";
import type { Dialect } from "@gantry/scripted/agent";
import type { DialectName } from "./write-fake-agent.ts";

// Tests start this program thousands of times. With the cache a start costs a quarter of the CPU time, so every import
// comes after this call.
enableCompileCache();
const { runAgent, scripted } = await import("@gantry/scripted/agent");
const dialects: Record<DialectName, Dialect> = {
  scripted,
  claude: (await import("./dialects/claude/agent.ts")).claude,
  codex: (await import("./dialects/codex/agent.ts")).codex,
  acp: (await import("./dialects/acp/plain.ts")).acp,
  cursor: (await import("./dialects/cursor/agent.ts")).cursor,
  hermes: (await import("./dialects/hermes/agent.ts")).hermes,
  goose: (await import("./dialects/goose/agent.ts")).goose,
  qoder: (await import("./dialects/qoder/agent.ts")).qoder,
  amp: (await import("./dialects/amp/agent.ts")).amp,
};
await runAgent(dialects, process.argv.slice(2));
