import { resolve } from "node:path";
import { agentFolder, brokerToken, newBrokerToken, startLocalBroker } from "@gantry/models";
import { homePath } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";

const PORT = 8765;

/** Prints the token that clients need; `--new` replaces it. */
export async function token(this: Context, flags: { new: boolean; folder?: string }): Promise<void> {
  const { output, env } = this;
  const folder = flags.folder ? resolve(flags.folder) : agentFolder(env);
  const { token: text, file } = (flags.new ? newBrokerToken : brokerToken)(folder);
  if (output.json) return output.data({ token: text, file });
  output.print(text);
  if (flags.new) output.note("A running broker keeps the old token until it restarts.");
}

/** Runs the broker in the foreground until a signal. */
export default async function serveBroker(this: Context, flags: { port?: number; folder?: string }): Promise<void> {
  const { output, env } = this;
  const stopped = new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
  const folder = flags.folder ? resolve(flags.folder) : agentFolder(env);
  const started = await startLocalBroker({ env, agentDir: folder, port: flags.port ?? PORT }).catch((error: Error) => {
    throw environmentError("broker", `The broker cannot start: ${error.message}`, "Try another port: --port 0");
  });
  const { url, token, tokenFile, close } = started;
  if (output.json) output.data({ ready: true, url, tokenFile, ...(token ? { token } : {}) });
  else {
    output.print(`broker ready ${url}`);
    output.print(
      token ? `token ${token} (shown once; stored in ${homePath(tokenFile)})` : `token in ${homePath(tokenFile)}`,
    );
  }
  await stopped;
  await close();
}
