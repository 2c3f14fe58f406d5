import { spawn } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import type { Client } from "@gantry/client";
import type { AgentRow, Offer } from "@gantry/protocol";
import { attachTerminal } from "../commands/agents/relay-terminal.ts";
import type { Context } from "../program/context.ts";
import { confirm } from "../terminal/prompt.ts";

/** How an offered command went, and the agent as it is after it. */
export type OfferResult = { code: number; agent: AgentRow; mended: boolean };

/**
 * Runs an offered command in front of the person, then asks the agent anew and says what came of it. A command that
 * needs what only the daemon has is run in a terminal of the daemon.
 */
export async function runOffer(context: Context, client: Client, offer: Offer): Promise<OfferResult> {
  const code = offer.env?.length ? await inDaemon(context, client, offer) : await here(context, offer);
  const { agent } = await client.agents.get(offer.agent, true);
  const mended = offer.kind === "install" ? agent.state === "ready" : agent.auth.state !== "missing";
  return { code, agent, mended: mended && code === 0 };
}

/** Asks whether to run an offered command, and runs it. `undefined`: nobody could be asked, or they said no. */
export async function askToRun(context: Context, client: Client, offer: Offer): Promise<OfferResult | undefined> {
  const { output } = context;
  if (!output.interactive) return undefined;
  if (!(await confirm(output.streams, `Run ${output.paint.bold(offer.display)} now?`))) return undefined;
  const result = await runOffer(context, client, offer);
  output.print(resultLine(result));
  return result;
}

/** What came of it, in words. */
export function resultLine({ code, agent, mended }: OfferResult): string {
  const version = agent.version ? ` ${agent.version}` : "";
  if (mended && agent.auth.state === "ok") return `${agent.name}${version} is ready and logged in.`;
  if (mended) return `${agent.name}${version} is ready${agent.auth.state === "missing" ? ", but not logged in" : ""}.`;
  const state = agent.state === "ready" ? "not logged in" : agent.state;
  return `${agent.name} is still ${state}${code === 0 ? "" : `; the command ended with status ${code}`}.`;
}

/** A program that is found beside its own interpreter needs that folder to start. */
function here({ env }: Context, { command }: Offer): Promise<number> {
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
  return attachTerminal(client, await client.terminals.open(body), context.output.streams);
}
