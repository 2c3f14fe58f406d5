import type { OfferKind } from "@gantry/protocol";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { resultLine, runSetupCommand } from "../../setup/run-setup-command.ts";

export async function login(this: Context, _flags: Record<never, never>, agent: string): Promise<void> {
  await run(this, agent, "login");
}

export async function install(this: Context, _flags: Record<never, never>, agent: string): Promise<void> {
  await run(this, agent, "install");
}

/** Runs the setup command of an agent in this terminal, probes the agent again, and exits 3 when it is still not usable. */
async function run(context: Context, id: string, kind: OfferKind): Promise<void> {
  const { output } = context;
  const client = await connect(context);
  const { agent, offers } = await client.agents.get(id);
  const offer = offers.find((one) => one.kind === kind);
  if (!offer) {
    const missing = kind === "login" && agent.state === "missing";
    const remedy = missing ? `Install it first: gantry install ${id}` : agent.problems[0]?.fix;
    throw environmentError("no_command", `There is no command for the ${kind} of ${agent.name}.`, remedy);
  }
  output.note(output.notePaint.dim(`$ ${offer.display}`));
  const result = await runSetupCommand(context, client, offer);
  if (!result.fixed) context.process.exitCode = exitCodes.environment;
  if (output.json) {
    const { code, agent, fixed } = result;
    return output.data({ offer, code, agent, mended: fixed }); // prose-ignore: field of the JSON output
  }
  output.print(resultLine(result));
}
