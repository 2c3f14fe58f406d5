import { openLocalSource } from "../credentials.ts";
import type { Environment } from "../environment.ts";
import { serveBroker } from "./server.ts";
import { brokerToken } from "./token.ts";

export type LocalBroker = {
  url: string;
  /** Only for a newly created token, so that it is shown once. */
  token?: string;
  tokenFile: string;
  close(): Promise<void>;
};

/** Serves the credentials of this machine. Rejects if the port is not available or the folder is not writable. */
export async function startLocalBroker(options: {
  env: Environment;
  agentDir: string;
  port: number;
}): Promise<LocalBroker> {
  const { env, agentDir, port } = options;
  const { token, file, made } = brokerToken(agentDir);
  const source = openLocalSource(env, agentDir);
  const broker = await serveBroker({ source, token, port });
  const close = async () => {
    await broker.close();
    source.close();
  };
  return { url: broker.url, ...(made ? { token } : {}), tokenFile: file, close };
}
