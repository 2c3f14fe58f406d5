import { resolve } from "node:path";
import type { ConflictMatrix, Landing, LandingHow } from "@gantry/protocol";
import { formatAgo, type Paint, pluralize, renderTable, shortId } from "@gantry/terminal";
import { pick } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { requireMade, resolveLane } from "./resolve-lane.ts";

export type LandFlags = {
  how?: LandingHow;
  into?: string;
  message?: string;
  noCommit: boolean;
  remove: boolean;
  tellAgents: boolean;
};

/** Lands a lane on its base, or pushes it for a pull request. */
export async function land(this: Context, flags: LandFlags, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const lane = requireMade(await resolveLane(client, name), "landed");
  const { how, into, message, remove, tellAgents } = flags;
  const landing = await client.landings.land(lane.id, {
    how,
    into,
    message,
    commit: !flags.noCommit,
    remove,
    tellAgents,
  });
  if (output.json) return output.data(landing);
  output.print(landedLines(landing, output.paint));
}

/** Conflicts between lanes and with their base, and a landing order; for one lane, its own conflicts. */
export async function conflicts(this: Context, flags: { cwd?: string }, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (name !== undefined) {
    const found = await client.landings.conflicts((await resolveLane(client, name)).id);
    if (output.json) return output.data(found);
    const rows = found.conflicts.map((one) => [
      one.name,
      stateText(one.state, output.paint),
      one.files.join(", ") || (one.reason ?? ""),
    ]);
    const columns = [{ title: "WITH" }, { title: "STATE" }, { title: "FILES", shrink: true }];
    return output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  }
  const repositories = await client.landings.matrices(flags.cwd === undefined ? undefined : resolve(flags.cwd));
  if (output.json) return output.data({ repositories });
  if (repositories.length === 0) return output.print("No lanes.");
  for (const matrix of repositories) output.print(matrixLines(matrix, output.paint, output.width?.()));
}

/** Brings a lane up to date with its base. */
export async function update(
  this: Context,
  flags: { how?: "rebase" | "merge"; dirty: boolean },
  name: string,
): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const lane = requireMade(await resolveLane(client, name), "brought up to date");
  const updated = await client.landings.update(lane.id, { how: flags.how, dirty: flags.dirty });
  if (output.json) return output.data(updated);
  if (!updated.moved) return output.print(`${lane.name} is up to date with ${updated.base}.`);
  output.print(
    `${lane.name} is now based on ${updated.base} at ${updated.to.slice(0, 8)} (was ${updated.from.slice(0, 8)}).`,
  );
}

/** Moves the base back to where it was before a landing: the last one, or one that is named. */
export async function unland(this: Context, _flags: Record<never, never>, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const landings = (await client.landings.list()).filter(({ state, to }) => state === "done" && to !== undefined);
  const wanted = name === undefined || name === "last" ? landings[0]?.id : undefined;
  const named = landings.map((landing) => ({ ...landing, title: landing.name }));
  const landing = await client.landings.undo(
    wanted ?? pick("landing", name ?? "last", named, "gantry lanes landings").id,
  );
  if (output.json) return output.data(landing);
  output.print(
    `${landing.into} is back at ${landing.from?.slice(0, 8)}. The work is still in the lane ${landing.name}.`,
  );
}

/** What has landed, the newest first. */
export async function landings(this: Context): Promise<void> {
  const { output } = this;
  const all = await (await connect(this)).landings.list();
  if (output.json) return output.data({ landings: all });
  if (all.length === 0) return output.print("Nothing has landed yet.");
  const rows = all.map((landing) => [
    output.paint.bold(shortId(landing.id)),
    landing.state,
    landing.name,
    `${landing.how} into ${landing.into}`,
    landing.pr?.url ?? (landing.to ? landing.to.slice(0, 8) : ""),
    output.paint.dim(formatAgo(landing.createdAt, Date.now())),
  ]);
  const columns = [
    { title: "ID" },
    { title: "STATE" },
    { title: "LANE" },
    { title: "HOW" },
    { title: "RESULT", shrink: true },
    { title: "WHEN" },
  ];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}

function landedLines(landing: Landing, paint: Paint): string[] {
  const { name, into, how, from, to, files, pr, undo, notices, removed } = landing;
  const { told: affected } = landing; // prose-ignore: field of the API
  const head =
    how === "pr"
      ? [`${name} is pushed to ${pr?.remote}. ${pr?.url ? `Pull request: ${pr.url}` : `To open one: ${pr?.open}`}`]
      : [`${name} landed on ${into}: ${from?.slice(0, 8)} → ${to?.slice(0, 8)}, ${pluralize(files.length, "file")}.`];
  const others = affected.map(
    (one) =>
      `  ${one.name}: ${one.state === "conflict" ? paint.yellow(`conflicts in ${one.conflicts.join(", ")}`) : "still merges"}${one.shared.length > 0 ? `; also changed ${one.shared.join(", ")}` : ""}`,
  );
  return [
    ...head,
    ...(others.length > 0 ? ["The base moved for the other lanes:", ...others] : []),
    ...(removed ? ["The lane is removed."] : []),
    ...notices.map(paint.yellow),
    ...(undo ? [paint.dim(`  ${undo.command}    # undo`)] : []),
  ];
}

function matrixLines({ repository, lanes, pairs, order }: ConflictMatrix, paint: Paint, width?: number): string[] {
  const nameOf = (id: string) => lanes.find(({ lane }) => lane === id)?.name ?? id;
  const rows = lanes.map(({ name, base = "", files, state, conflicts: with_ }) => [
    name,
    `${files}`,
    `${stateText(state, paint)} ${with_.length > 0 ? with_.join(", ") : paint.dim(base)}`,
  ]);
  const clashes = pairs.filter(({ state }) => state !== "clean");
  return [
    paint.bold(repository),
    ...renderTable([{ title: "LANE" }, { title: "FILES" }, { title: "WITH BASE", shrink: true }], rows, {
      header: paint.dim,
      width,
    }),
    ...clashes.map(
      ({ a, b, state, files }) => `${nameOf(a)} and ${nameOf(b)}: ${stateText(state, paint)} ${files.join(", ")}`,
    ),
    ...(order.length > 0 ? [paint.bold("Land in this order")] : []),
    ...order.map(({ name, reason }, index) => `  ${index + 1}. ${name}  ${paint.dim(reason)}`),
  ];
}

function stateText(state: string, paint: Paint): string {
  return state === "clean" ? paint.green(state) : state === "conflict" ? paint.yellow(state) : paint.dim(state);
}
