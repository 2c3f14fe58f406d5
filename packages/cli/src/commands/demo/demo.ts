import { type Paint, renderChangeCount, renderDiff, shortId, splitDiff } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import { allowingAsker } from "../../follow/ask.ts";
import { watchTurn } from "../../follow/watch-turn.ts";
import type { Context } from "../../program/context.ts";

export type DemoFlags = { yes: boolean };

/** Runs a complete session in a temporary project with Gantry's own agent and a scripted model: no key, no network. */
export default async function demo(this: Context, flags: DemoFlags): Promise<void> {
  const { output } = this;
  const { paint } = output;
  const automatic = flags.yes || !output.interactive;
  const client = await connect(this);
  const session = await client.sessions.demo();
  const print = (...lines: string[]) => {
    if (!output.json) output.print(lines);
  };
  print(paint.dim(`Sample project: ${session.cwd}`));
  if (automatic) print(paint.dim("Approvals are given automatically; on a terminal you would be asked."));
  print("");
  const asker = automatic ? allowingAsker : undefined;
  const result = await watchTurn(this, { client, session, after: 0, until: "first", asker });
  if (output.json || result.outcome === "detached") return;
  const { projectDiff } = await import("@gantry/runtime");
  print("", paint.bold("What changed"), ...changedLines(await projectDiff(session.cwd), paint));
  print("", paint.bold("Try next"), ...nextSteps(shortId(session.id)).map((line) => `  ${line}`));
}

function changedLines(diff: string | undefined, paint: Paint): string[] {
  if (diff === undefined) return ["  git was not found, so there is nothing to compare with"];
  const files = splitDiff(diff);
  if (files.length === 0) return ["  nothing"];
  return files.flatMap((file) => [
    `  ${paint.bold(file.path)}  ${renderChangeCount({ ...file, kind: "update" }, paint)}`,
    ...renderDiff(file.diff, paint).map((line) => `  ${paint.dim("│")} ${line}`),
  ]);
}

function nextSteps(id: string): string[] {
  return [
    `gantry logs ${id} --full              the whole transcript again`,
    `gantry send ${id} --wait "[[ask]]"    be asked a question`,
    "gantry agents                          which agents are installed here",
    'gantry run -a <agent> "…"              give one of them work, in any folder',
  ];
}
