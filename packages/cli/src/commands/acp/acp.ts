import { GantryError, type Mode } from "@gantry/protocol";
import { orUnset } from "../../arguments/controls.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { login } from "../agents/setup.ts";

export type AcpFlags = { agent?: string; mode?: Mode | "default"; session?: string; login?: string };

/** Serves one editor on stdin and stdout until the editor closes stdin. Only messages of the protocol go to stdout. */
export default async function acp(this: Context, flags: AcpFlags): Promise<void> {
  if (flags.login !== undefined) return login.call(this, {}, flags.login);
  const client = await connect(this);
  const mode = orUnset(flags.mode);
  const session = flags.session === undefined ? undefined : (await resolveSession(client, flags.session)).id;
  const { serveStdio } = await import("@gantry/gateway/acp");
  await serveStdio(process.stdin, process.stdout, {
    client,
    version: this.version,
    recover: () => recover(this),
    report: (line) => this.output.note(line),
    defaults: { agent: flags.agent, session, ...(mode === undefined ? {} : { mode }) },
  });
}

/** Waits for the daemon, and starts one if there is none. */
async function recover(context: Context): Promise<void> {
  try {
    await connect(context);
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string };
    throw new GantryError("internal", message, { remedy });
  }
}
