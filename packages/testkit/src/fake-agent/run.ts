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

/**
 * Runs the fake agent of the dialect that `argv` names. This is a separate module because `main.ts` must enable the
 * compile cache before the dialects are loaded.
 */
export function runFakeAgent(argv: string[]): Promise<void> {
  return runAgent(DIALECTS, argv);
}
