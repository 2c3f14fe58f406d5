import { type Dialect, runAgent, scripted } from "@gantry/scripted/agent";
import { acp } from "./dialects/acp/plain.ts";
import { amp } from "./dialects/amp/agent.ts";
import { claude } from "./dialects/claude/agent.ts";
import { codex } from "./dialects/codex/agent.ts";
import { cursor } from "./dialects/cursor/agent.ts";
import { goose } from "./dialects/goose/agent.ts";
import { hermes } from "./dialects/hermes/agent.ts";
import type { DialectName } from "./write-fake-agent.ts";

const DIALECTS: Record<DialectName, Dialect> = { scripted, claude, codex, acp, cursor, hermes, goose, amp };

export const runFakeAgent = (argv: string[]) => runAgent(DIALECTS, argv);
