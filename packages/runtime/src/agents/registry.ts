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
import { hermes } from "./hermes/descriptor.ts";
import { kilo } from "./kilo/descriptor.ts";
import { kimi } from "./kimi/descriptor.ts";
import { omp } from "./omp/descriptor.ts";
import { opencode } from "./opencode/descriptor.ts";
import { pi } from "./pi/descriptor.ts";
import { qwen } from "./qwen/descriptor.ts";
import { scripted } from "./scripted/descriptor.ts";

/** Every agent that comes with Gantry. Adding one adds its folder and its line here. */
export const agents: readonly Agent[] = [
  claude,
  codex,
  gemini,
  opencode,
  cursor,
  copilot,
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
  claudeAgentAcp,
  codexAcp,
  gantry,
  scripted,
];

/** Who a demonstration shows: an agent that comes along, on a model that follows a script and needs no account. */
export const demonstrator = { agent: gantry.id, model: "demo/tour" };

/** Not an agent of its own: what profiles are made from, and what any ACP recording is decoded with. */
export const bases: readonly Agent[] = [acp];

/** The agent, or the base for profiles, with this id. */
export function agentById(id: string): Agent | undefined {
  return [...agents, ...bases].find((agent) => agent.id === id);
}
