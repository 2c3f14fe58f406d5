import { spawn } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import type { Client } from "@gantry/client";
import type { AgentRow, Offer } from "@gantry/protocol";
import { confirm } from "@gantry/terminal";
import { relayTerminal } from "../commands/agents/relay-terminal.ts";
import type { Context } from "../program/context.ts";

/** The exit code of a setup command, and the agent after a new probe. */
export type SetupResult = { code: number; agent: AgentRow; fixed: boolean };

/**
 * Runs a setup command (install or login) in this terminal, then probes the agent again. A command that needs the
 * daemon's environment runs in a terminal of the daemon.
 */
export async function runSetupCommand(context: Context, client: Client, offer: Offer): Promise<SetupResult> {
  const code = offer.env?.length ? await inDaemon(context, client, offer) : await runInTerminal(context, offer);
  const { agent } = await client.agents.get(offer.agent, true);
  const fixed = offer.kind === "install" ? agent.state === "ready" : agent.auth.state !== "missing";
  return { code, agent, fixed: fixed && code === 0 };
}

/** Asks for confirmation and runs a setup command. `undefined` without a terminal or when declined. */
export async function offerSetupCommand(
  context: Context,
  client: Client,
  offer: Offer,
): Promise<SetupResult | undefined> {
  const { output } = context;
  if (!output.interactive) return undefined;
  if (!(await confirm(output.streams, `Run ${output.paint.bold(offer.display)} now?`))) return undefined;
  const result = await runSetupCommand(context, client, offer);
  output.print(resultLine(result));
  return result;
}

/** The text for the result. */
export function resultLine({ code, agent, fixed }: SetupResult): string {
  const version = agent.version ? ` ${agent.version}` : "";
  if (fixed && agent.auth.state === "ok") return `${agent.name}${version} is ready and logged in.`;
  if (fixed) return `${agent.name}${version} is ready${agent.auth.state === "missing" ? ", but not logged in" : ""}.`;
  const state = agent.state === "ready" ? "not logged in" : agent.state;
  return `${agent.name} is still ${state}${code === 0 ? "" : `; the command ended with status ${code}`}.`;
}

/** Adds the program's folder to PATH: its interpreter may be there. */
function runInTerminal({ env }: Context, { command }: Offer): Promise<number> {
  const [program = "", ...args] = command;
  const path = isAbsolute(program) ? `${dirname(program)}:${env.PATH ?? ""}` : env.PATH;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit", env: { ...env, PATH: path } });
    const ignore = () => {};
    // Ctrl-C is for the command.
    process.on("SIGINT", ignore);
    const done = (code: number) => {
      process.off("SIGINT", ignore);
      resolve(code);
    };
    child.on("error", () => done(127));
    child.on("close", (code) => done(code ?? 1));
  });
}

async function inDaemon(context: Context, client: Client, { agent, kind }: Offer): Promise<number> {
  const size = context.output.streams.output as Partial<NodeJS.WriteStream>;
  const body = { offer: { agent, kind }, cols: size.columns || 80, rows: size.rows || 24 };
  return relayTerminal(client, await client.terminals.open(body), context.output.streams);
}
