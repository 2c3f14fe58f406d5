import { platform, release } from "node:os";
import type { AgentSession } from "../contract/session.ts";
import { gitBranch } from "../prompt/git-branch.ts";
import { Session } from "./agent-session.ts";
import type { AgentSessionOptions } from "./options.ts";

/** Puts a session together. Rejects only for what the caller gave wrongly; nothing is asked of the network. */
export async function createAgentSession(options: AgentSessionOptions): Promise<AgentSession> {
  const branch = await gitBranch(options.cwd);
  return new Session(options, {
    day: new Date().toISOString().slice(0, 10),
    platform: `${platform()} ${release()}`,
    ...(branch === undefined ? {} : { gitBranch: branch }),
  });
}
