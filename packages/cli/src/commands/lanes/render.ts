import type { Lane } from "@gantry/protocol";
import { formatBytes, homePath, type Paint, pluralize, renderFacts, renderTable, shortId } from "@gantry/terminal";
import type { Output } from "../../program/output.ts";

/** Lanes below each other, by repository. */
export function lanesTable(lanes: readonly Lane[], { paint, width }: Output): string[] {
  const columns = [
    { title: "LANE" },
    { title: "BRANCH", shrink: true },
    { title: "STATE" },
    { title: "COMMITS" },
    { title: "SESSIONS" },
    { title: "PORTS" },
    { title: "DISK" },
    { title: "ID" },
  ];
  const rows = lanes.map((lane) => [
    lane.kind === "primary" ? paint.bold(lane.name) : lane.name,
    lane.branch ?? (lane.head ? `at ${lane.head.slice(0, 8)}` : ""),
    stateOf(lane, paint),
    commitsOf(lane),
    lane.sessions.length > 0 ? String(lane.sessions.length) : "",
    portsOf(lane) ?? "",
    lane.disk === undefined ? "" : formatBytes(lane.disk),
    lane.kind === "primary" ? paint.dim("primary") : paint.dim(shortId(lane.id)),
  ]);
  return renderTable(columns, rows, { header: paint.dim, width: width?.() });
}

/** One lane whole. */
export function laneLines(lane: Lane, paint: Paint): string[] {
  const { setup } = lane;
  const base = lane.base && [lane.base.ref, lane.base.commit.slice(0, 8)].filter(Boolean).join(" at ");
  const lines = renderFacts(
    [
      ["lane", `${lane.name} (${lane.kind})`],
      ["id", lane.id],
      ["repository", homePath(lane.repository)],
      ["folder", homePath(lane.path)],
      ["branch", lane.branch ?? (lane.head ? `none: HEAD is at ${lane.head.slice(0, 8)}` : undefined)],
      ["base", base],
      ["state", stateOf(lane, paint)],
      ["commits", commitsOf(lane)],
      ["not pushed", lane.unpushed > 0 ? pluralize(lane.unpushed, "commit") : undefined],
      ["locked", lane.locked === undefined ? undefined : lane.locked || "yes"],
      ["sessions", lane.sessions.join(", ")],
      ["ports", portsOf(lane)],
      ["disk", lane.disk === undefined ? undefined : formatBytes(lane.disk)],
      ["set-up", setup.state === "none" ? undefined : `${setup.state}${setup.command ? `: ${setup.command}` : ""}`],
    ],
    paint.dim,
  );
  return [
    ...lines,
    ...lane.missing.map((text) => paint.yellow(text)),
    ...lane.notices.map((text) => paint.yellow(text)),
  ];
}

function stateOf({ state, dirty, changes, missing }: Lane, paint: Paint): string {
  if (state !== "ready") return state === "failed" ? paint.red(state) : paint.yellow(state);
  if (missing.length > 0) return paint.yellow("limited");
  return dirty ? paint.yellow(`${changes} changed`) : "clean";
}

function commitsOf({ ahead, behind }: Lane): string {
  return [ahead > 0 ? `+${ahead}` : "", behind > 0 ? `−${behind}` : ""].filter(Boolean).join(" ");
}

function portsOf({ ports }: Lane): string | undefined {
  return ports && `${ports.start}–${ports.end}`;
}
