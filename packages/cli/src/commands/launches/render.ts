import { type Comparison, type Launch, type LaunchSlot, launchStatus, slotStatus } from "@gantry/protocol";
import {
  firstLine,
  formatDollars,
  formatDuration,
  formatUsage,
  type Paint,
  pluralize,
  renderTable,
  shortId,
  stripControls,
} from "@gantry/terminal";
import { statusWord } from "../sessions/state.ts";

type Look = { paint: Paint; width?: number };

/** A launch on one screen: a row for each agent. */
export function launchLines(launch: Launch, { paint, width }: Look): string[] {
  const head = `${paint.bold(shortId(launch.id))}  ${launchWord(launch, paint)}  ${firstLine(stripControls(launch.prompt))}`;
  const rows = launch.slots.map((slot) => [
    slot.agent + (slot.model ? ` ${paint.dim(slot.model)}` : ""),
    statusWord(slotStatus(slot, launch), paint),
    slot.name,
    paint.dim(shortId(slot.session)),
    remarkOf(slot),
  ]);
  const columns = [
    { title: "AGENT" },
    { title: "STATE" },
    { title: "LANE" },
    { title: "SESSION" },
    { title: "", shrink: true },
  ];
  const error = launch.error ? [paint.red(launch.error.message)] : [];
  return [head, ...renderTable(columns, rows, { header: paint.dim, width }), ...error];
}

/** Lanes side by side, one column of facts each, and where they touched the same files. */
export function comparisonLines(comparison: Comparison, { paint, width }: Look, patch: boolean): string[] {
  const columns = [
    { title: "LANE" },
    { title: "AGENT" },
    { title: "OUTCOME" },
    { title: "CHANGES" },
    { title: "TESTS" },
    { title: "CHECK" },
    { title: "TIME" },
    { title: "COST" },
    { title: "TOKENS" },
    { title: "LAST MESSAGE", shrink: true },
  ];
  const rows = comparison.lanes.map((lane) => [
    paint.bold(lane.name),
    lane.agents.map(({ agent, model }) => (model ? `${agent} ${model}` : agent)).join(", "),
    lane.outcome ?? lane.state,
    `${pluralize(lane.diff.files.length, "file")} ${paint.green(`+${lane.diff.additions}`)} ${paint.red(`-${lane.diff.deletions}`)}`,
    testsText(lane.tests, paint),
    lane.check ? `${lane.check.state}${lane.check.stale ? " (stale)" : ""}` : "",
    lane.durationMs > 0 ? formatDuration(lane.durationMs) : "",
    lane.cost ? formatDollars(lane.cost) : "",
    lane.usage.input + lane.usage.output > 0 ? formatUsage(lane.usage) : "",
    lane.error?.message ?? firstLine(stripControls(lane.last ?? "")),
  ]);
  const files = comparison.lanes.flatMap((lane) => [
    "",
    paint.bold(lane.name),
    ...lane.diff.files.map(
      ({ path, kind, to, additions = 0, deletions = 0 }) =>
        `  ${kind.padEnd(7)}${to ? `${path} → ${to}` : path} ${paint.dim(`+${additions} -${deletions}`)}`,
    ),
    ...lane.commands.map(({ command, exitCode, status, test }) =>
      paint.dim(`  $ ${firstLine(stripControls(command))}  ${exitCode ?? status}${test ? `  (${test})` : ""}`),
    ),
    ...(patch && lane.diff.patch ? [lane.diff.patch.trimEnd()] : []),
  ]);
  const overlap = comparison.overlap.map(({ path, lanes }) => {
    const names = lanes.map((id) => comparison.lanes.find(({ lane }) => lane === id)?.name ?? id);
    return `  ${path}  ${paint.dim(names.join(", "))}`;
  });
  const shared = overlap.length > 0 ? ["", paint.bold("Changed by several lanes"), ...overlap] : [];
  return [...renderTable(columns, rows, { header: paint.dim, width }), ...files, ...shared];
}

function testsText({ passed, failed, last }: Comparison["lanes"][number]["tests"], paint: Paint): string {
  if (!last) return "";
  const text = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`;
  return last === "passed" ? paint.green(text) : paint.red(text);
}

/** The detail of the status, if its text does not include it. */
function remarkOf(slot: LaunchSlot): string {
  return slot.error?.message ?? slot.status?.detail ?? "";
}

/** The status of a launch: that of its most urgent slot. */
export function launchWord(launch: Launch, paint: Paint): string {
  const slots = launch.slots.map((slot) => slotStatus(slot, launch));
  return statusWord(launchStatus(launch, slots), paint);
}
