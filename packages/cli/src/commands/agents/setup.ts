import type { Client } from "@gantry/client";
import type { AvailableAgent, OfferKind } from "@gantry/protocol";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { resultLine, runSetupCommand } from "../../setup/run-setup-command.ts";

export async function login(this: Context, _flags: Record<never, never>, agent: string): Promise<void> {
  await run(this, agent, "login");
}

export async function install(this: Context, _flags: Record<never, never>, name: string): Promise<void> {
  const client = await connect(this);
  const listed = await findListed(client, name);
  if (!listed || listed.builtIn) return run(this, listed?.builtIn ?? name, "install");
  if (!listed.added) await client.profiles.put(listed.id, listed.profile);
  const { output } = this;
  const [command] = /^command: .*$/m.exec(listed.profile) ?? [];
  output.note(`${listed.name} ${listed.version} was added as the profile ${listed.id}, with ${command}.`);
  if (listed.from === "npm") return run(this, listed.id, "install");
  const { agent } = await client.agents.get(listed.id, true);
  const next =
    listed.from === "uv" ? `uv installs it at the first start: ${listed.install}` : `Get it from ${listed.website}.`;
  if (agent.state !== "ready") this.process.exitCode = exitCodes.environment;
  if (output.json) return output.data({ agent, next });
  output.print(agent.state === "ready" ? `${listed.name} is ready.` : next);
}

/** An agent of the public registry that this machine does not have yet, by its id or name. */
async function findListed(client: Client, name: string): Promise<AvailableAgent | undefined> {
  const rows = await client.agents.list();
  const { agents } = await client.profiles.available();
  const wanted = name.toLowerCase();
  const found = agents.find(({ id }) => id === wanted) ?? agents.find((agent) => agent.name.toLowerCase() === wanted);
  const known = rows.some(({ id }) => id === name);
  return known && !found?.added ? undefined : found;
}

/** Removes a profile and the package that was installed for it. */
export async function uninstall(this: Context, _flags: Record<never, never>, id: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const profiles = await client.profiles.list();
  if (!profiles.some((profile) => profile.id === id)) {
    const { agent } = await client.agents.get(id);
    const remedy = "Remove its program with the tool that installed it.";
    throw environmentError("built_in", `${agent.name} is built in; only profiles can be removed.`, remedy);
  }
  await client.profiles.delete(id);
  if (output.json) return output.data({ removed: id });
  output.print(`The profile ${id} and its installed package were removed. Its sessions stay.`);
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
