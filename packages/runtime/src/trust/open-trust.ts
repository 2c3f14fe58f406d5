import { homedir } from "node:os";
import { agentFolder } from "@gantry/models";
import { openTrustStore } from "@gantry/trust";
import { Git } from "../lanes/git/git.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { type SessionNoticesDeps, SessionTrustNotices } from "./session-notices.ts";
import { type FindProjectCode, Trust } from "./trust.ts";

type Environment = Record<string, string | undefined>;
type Parts = Omit<SessionNoticesDeps, "findItems"> & { lanes: Lanes; env: Environment };

/** Creates the daemon's trust service and the observer that adds notices to sessions. */
export function openTrust(parts: Parts): { service: Trust; notices: SessionTrustNotices } {
  const { trust, lanes, findProjectCode, env, log } = parts;
  const userHome = env.HOME || homedir();
  const onTrusted = () =>
    void lanes.restartTrustedSetups().catch((error: Error) => log(`set-ups after trust: ${error.message}`));
  const service = new Trust({ store: trust, git: lanes.git, findProjectCode, userHome, onTrusted });
  return { service, notices: new SessionTrustNotices({ ...parts, findItems: (folder) => service.findItems(folder) }) };
}

/** The same service without a daemon, for the command line. */
export function openLocalTrust(home: string, env: Environment, findProjectCode: FindProjectCode): Trust {
  const store = openTrustStore(home, agentFolder({ ...env, GANTRY_HOME: home }));
  return new Trust({ store, git: new Git(env), findProjectCode, userHome: env.HOME || homedir() });
}
