import { rungAgents } from "../kit/rung-agents.ts";

export const { agentOf, kitParts } = rungAgents({ variable: "OPENCODE_CONFIG_CONTENT" });
