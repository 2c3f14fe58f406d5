import type { Environment } from "../agent-folder.ts";
import { openLocalSource } from "../credentials.ts";
import { serveBroker } from "./server.ts";
import { brokerToken } from "./token.ts";

export type LocalBroker = {
  url: string;
  /** Only when it was made just now: it is said once. */
  token?: string;
  tokenFile: string;
  close(): Promise<void>;
};

/** Serves the credentials of this machine. Rejects if the port cannot be had or the folder cannot be written. */
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
