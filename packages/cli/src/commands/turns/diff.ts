import type { FileChange, TurnDiff } from "@gantry/protocol";
import { type Paint, pluralize, stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { resolveTurn } from "./resolve-turn.ts";

export type DiffFlags = { path?: string; context?: number; stat: boolean };

const SIGNS: Record<FileChange["kind"], string> = { add: "A", update: "M", delete: "D", move: "R" };

/** What a turn changed. */
export default async function diff(this: Context, flags: DiffFlags, name: string, turn?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const row = await resolveTurn(client, id, turn);
  const { path, context } = flags;
  const found = await client.turns.diff(id, row.turn, { path, context, ...(flags.stat ? { bytes: 0 } : {}) });
  if (output.json) return output.data(found);
  const lines = flags.stat ? [] : colourPatch(found.patch, output.paint);
  output.print([...lines, ...summary(found, output.paint)]);
}

function colourPatch(patch: string, paint: Paint): string[] {
  if (patch === "") return [];
  const lines = patch.trimEnd().split("\n");
  const styled = lines.map((text) => {
    const line = stripControls(text);
    if (line.startsWith("diff --git") || line.startsWith("+++") || line.startsWith("---")) return paint.bold(line);
    if (line.startsWith("@@")) return paint.cyan(line);
    if (line.startsWith("+")) return paint.green(line);
    return line.startsWith("-") ? paint.red(line) : line;
  });
  return [...styled, ""];
}

function summary({ files, total, cut, left, live }: TurnDiff, paint: Paint): string[] {
  if (files.length === 0) return [live ? "Nothing has changed so far." : "The turn changed nothing."];
  const rows = files.map((file) => {
    const name = stripControls(file.to === undefined ? file.path : `${file.path} → ${file.to}`);
    const count = file.binary ? "binary" : `+${file.additions ?? 0} -${file.deletions ?? 0}`;
    return `  ${SIGNS[file.kind]} ${name}  ${paint.dim(count)}`;
  });
  const sum = `${pluralize(total.files, "file")}, +${total.additions} -${total.deletions}${live ? " so far" : ""}`;
  const shared = total.shared
    ? [paint.yellow(`Shared folder: ${total.shared.join(", ")} changed files there at the same time.`)]
    : [];
  const more = cut ? [paint.dim("Not all of it is shown; --path narrows it.")] : [];
  const unseen = left
    .slice(0, 5)
    .map(({ path, why }) => paint.dim(`  not in the snapshot: ${stripControls(path)} (${why})`));
  return [sum, ...rows, ...shared, ...more, ...unseen];
}
