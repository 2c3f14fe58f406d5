import { platform, release } from "node:os";
import type { AgentSession } from "../contract/session.ts";
import { gitBranch } from "../prompt/git-branch.ts";
import { Session } from "./agent-session.ts";
import type { SessionOptions } from "./options.ts";

/** Creates a session. Rejects only for invalid options. Makes no network requests. */
export async function createSession(options: SessionOptions): Promise<AgentSession> {
  const branch = await gitBranch(options.cwd);
  return new Session(options, {
    day: new Date().toISOString().slice(0, 10),
    platform: `${platform()} ${release()}`,
    ...(branch === undefined ? {} : { gitBranch: branch }),
  });
}
