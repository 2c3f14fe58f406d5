import { acp } from "./acp/descriptor.ts";
import { amp } from "./amp/descriptor.ts";
import { auggie } from "./auggie/descriptor.ts";
import { claude } from "./claude/descriptor.ts";
import { claudeAgentAcp } from "./claude-agent-acp/descriptor.ts";
import { cline } from "./cline/descriptor.ts";
import { codex } from "./codex/descriptor.ts";
import { codexAcp } from "./codex-acp/descriptor.ts";
import type { Agent } from "./contract.ts";
import { copilot } from "./copilot/descriptor.ts";
import { cursor } from "./cursor/descriptor.ts";
import { droid } from "./droid/descriptor.ts";
import { gantry } from "./gantry/descriptor.ts";
import { gemini } from "./gemini/descriptor.ts";
import { goose } from "./goose/descriptor.ts";
import { grok } from "./grok/descriptor.ts";
import { hermes } from "./hermes/descriptor.ts";
import { junie } from "./junie/descriptor.ts";
import { kilo } from "./kilo/descriptor.ts";
import { kimi } from "./kimi/descriptor.ts";
import { nanocoder } from "./nanocoder/descriptor.ts";
import { omp } from "./omp/descriptor.ts";
import { opencode } from "./opencode/descriptor.ts";
import { pi } from "./pi/descriptor.ts";
import { plain } from "./plain/descriptor.ts";
import { qoder } from "./qoder/descriptor.ts";
import { qwen } from "./qwen/descriptor.ts";
import { scripted } from "./scripted/descriptor.ts";

/**
 * Every agent that ships with Gantry, in the order in which clients list them.
 *
 * Adding an agent takes one folder and one entry here, and no other change:
 * 1. `<id>/descriptor.ts` exports `defineAgent({...})`: names, binary, install and login commands, modes, probe.
 * 2. Its `channels` come from a shared engine: `acp(dialect)` for the Agent Client Protocol, `printChannel` or `twoWay`
 *   in `json-lines/` for JSON lines, `plainChannel()` for plain text. A protocol that fits none of them gets a channel in the
 *   agent's folder.
 * 3. `<id>/fixtures/` holds recordings; `<id>/recordings.test.ts` lists them with their expected endings.
 * `one-folder.test.ts` and `scripts/shape/` enforce that no other code names an agent and that agents do not import
 * each other.
 */
export const builtInAgents: readonly Agent[] = [
  claude,
  codex,
  gemini,
  opencode,
  cursor,
  copilot,
  grok,
  droid,
  qwen,
  kimi,
  pi,
  omp,
  amp,
  auggie,
  cline,
  goose,
  hermes,
  kilo,
  nanocoder,
  qoder,
  junie,
  claudeAgentAcp,
  codexAcp,
  gantry,
  scripted,
];

/** The agent and scripted model of `gantry demo`. They need no account. */
export const demoAgent = { agent: gantry.id, model: "demo/tour" };

/** Bases for local profiles. They have no program and are not listed; `acp` also decodes any ACP recording. */
export const profileBases: readonly Agent[] = [acp, plain];

/** The agent, or the base for profiles, with this id. */
export function agentById(id: string): Agent | undefined {
  return [...builtInAgents, ...profileBases].find((agent) => agent.id === id);
}
