import { claude } from "./claude/descriptor.ts";
import { codex } from "./codex/descriptor.ts";
import type { Agent } from "./contract.ts";
import { scripted } from "./scripted/descriptor.ts";

/** Every built-in agent, in the order in which they are shown. */
export const agents: readonly Agent[] = [claude, codex, scripted];

/** The built-in agent of this id. */
export function agentById(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}
