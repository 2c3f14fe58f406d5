import type { Client } from "@gantry/client";
import type { Launch } from "@gantry/protocol";
import { firstLine, formatAge, renderTable, shortId, stripControls } from "@gantry/terminal";
import { pick } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { launchLines, launchWord } from "./render.ts";

type NoFlags = Record<never, never>;

/** Launches, the newest first. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const launches = await (await connect(this)).launches.list();
  if (output.json) return output.data({ launches });
  if (launches.length === 0) return output.print('No launches. Start one: gantry launch -a <agent> -a <agent> "…"');
  const columns = [
    { title: "ID" },
    { title: "STATE" },
    { title: "AGENTS" },
    { title: "PROMPT", shrink: true },
    { title: "AGE" },
  ];
  const rows = launches.map((launch) => [
    output.paint.bold(shortId(launch.id)),
    launchWord(launch, output.paint),
    launch.slots.map(({ agent }) => agent).join(", "),
    firstLine(stripControls(launch.prompt)),
    output.paint.dim(formatAge(launch.createdAt, Date.now())),
  ]);
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}

/** One launch with the state of each agent. */
export async function show(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const { output } = this;
  const launch = await resolveLaunch(await connect(this), name);
  if (output.json) return output.data(launch);
  output.print(launchLines(launch, { paint: output.paint, width: output.width?.() }));
}

/** Interrupts running turns and removes lanes that received no prompt. */
export async function cancel(this: Context, flags: { forget: boolean }, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { id } = await resolveLaunch(client, name);
  const launch = await client.launches.cancel(id, flags.forget);
  if (output.json) return output.data(launch);
  output.print(launchLines(launch, { paint: output.paint, width: output.width?.() }));
}

/** Runs a command in each lane of a launch. */
export async function check(
  this: Context,
  flags: { timeout?: number },
  name: string,
  ...args: string[]
): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { id } = await resolveLaunch(client, name);
  const command = args.join(" ") || undefined;
  const timeoutSeconds = flags.timeout === undefined ? undefined : Math.ceil(flags.timeout);
  const checks = await client.launches.check(id, { command, timeoutSeconds });
  if (output.json) return output.data({ checks });
  output.print(checks.map(({ lane, command: line, state }) => `${shortId(lane)}  ${state}  ${line}`));
  output.print(output.paint.dim(`  gantry compare ${shortId(id)}    # compare the results`));
}

/** `last` is the newest. */
export async function resolveLaunch(client: Client, name: string): Promise<Launch> {
  const launches = await client.launches.list();
  const newest = launches[0];
  if (name === "last" && newest) return newest;
  if (!newest) throw usageError("There is no launch yet.", 'Start one: gantry launch -a <agent> -a <agent> "…"');
  return pick(
    "launch",
    name,
    launches.map((launch) => ({ ...launch, title: launch.name })),
    "gantry launches",
  );
}
