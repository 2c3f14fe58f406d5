import { modeAgents } from "../kit/mode-agents.ts";

export const { agentOf, kitParts } = modeAgents({ variable: "OPENCODE_CONFIG_CONTENT" });
