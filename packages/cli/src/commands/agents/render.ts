import type { AgentRow, AvailableAgent, Mode, Problem } from "@gantry/protocol";
import { formatAgo, hangText, type Paint, padText, pluralize, stripControls, truncateText } from "@gantry/terminal";

/** Fixed widths: rows are printed as probes finish, before the other rows are known. */
const WIDTHS = { id: 18, version: 14, versions: 19, auth: 15 };
/** The age of a probe is shown only if it is older. */
const YOUNG_MS = 10 * 60_000;

export function agentHeader(paint: Paint): string {
  return paint.dim(
    `  ${padText("AGENT", WIDTHS.id)}${padText("VERSION", WIDTHS.version)}${padText("SUPPORTED", WIDTHS.versions)}${padText("LOGIN", WIDTHS.auth)}MODELS`,
  );
}

/** An agent in one row, and below it each problem with its fix and each mode that is no promise. */
export function agentLines(row: AgentRow, paint: Paint, width?: number, now = Date.now()): string[] {
  const cells = [
    stateGlyph(row.state, paint),
    " ",
    padText(paint.bold(row.id), WIDTHS.id),
    padText(truncateText(stripControls(row.version ?? missingWord(row.state)), WIDTHS.version - 1), WIDTHS.version),
    padText(paint.dim(truncateText(versionsText(row), WIDTHS.versions - 1)), WIDTHS.versions),
    padText(authWord(row, paint), WIDTHS.auth),
    row.state === "ready" ? modelsWord(row) : "",
    paint.dim(ageWord(row, now)),
  ];
  const line = cells.join("").trimEnd();
  return [
    width === undefined ? line : truncateText(line, width),
    ...row.problems.flatMap((problem) => problemLines(problem, paint, width)),
    ...untestedLines(row, paint, width),
    ...unenforcedLines(row, paint, width),
    ...lackingLines(row, paint, width),
    ...capabilityLines(row, paint, width),
    ...row.offers.map(({ kind, agent }) => `      ${paint.dim("or:")}  gantry ${kind} ${agent}`),
  ];
}

/** Missing agents, one line each with the install command. */
export function absentLines(rows: readonly AgentRow[], paint: Paint, width?: number): string[] {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const installHint = (row: AgentRow) => stripControls(row.problems[0]?.fix ?? "").replace(/^Install it: /, "");
  const lines = sorted.map(
    (row) => `${stateGlyph(row.state, paint)} ${padText(row.id, WIDTHS.id)}${paint.dim(installHint(row))}`,
  );
  const cut = lines.map((line) => (width === undefined ? line : truncateText(line, width)));
  return ["", paint.dim("  NOT INSTALLED"), ...cut];
}

/** The supported versions: `1.3 – 1.18.33`, or one. */
export function versionsText({ versions }: AgentRow): string {
  if (!versions) return "";
  return versions.oldest === versions.newest ? versions.oldest : `${versions.oldest} – ${versions.newest}`;
}

function untestedLines({ name, version, versions }: AgentRow, paint: Paint, width?: number): string[] {
  if (versions?.fit !== "newer") return [];
  const text = `${name} ${version} is newer than ${versions.newest}, the newest tested version. If something fails, use that one.`;
  return hangText(`    ${paint.dim("·")} `, stripControls(text), width);
}

/** The agents of the public registry, one line each. */
export function availableLines(
  { copied, agents }: { copied: string; agents: readonly AvailableAgent[] },
  paint: Paint,
  width?: number,
): string[] {
  const widest = Math.max(...agents.map(({ id }) => id.length)) + 2;
  const lines = agents.map(({ id, version, builtIn, added, description }) => {
    const state = builtIn ? `built in as ${builtIn}` : added ? "added" : description;
    const glyph = added ? paint.green("●") : paint.dim("○");
    return `${glyph} ${padText(id, widest)}${padText(version, WIDTHS.version)}${paint.dim(state)}`;
  });
  const cut = lines.map((line) => (width === undefined ? line : truncateText(line, width)));
  const hint = `  From the public ACP registry, copied on ${copied}. Add one: gantry install <agent>`;
  return [...cut, "", paint.dim(hint)];
}

function unenforcedLines({ state, unenforced = {} }: AgentRow, paint: Paint, width?: number): string[] {
  if (state !== "ready") return [];
  return groupByReason(unenforced).flatMap(([reason, modes]) => {
    const text = `${modes.join(", ")} cannot be enforced. ${reason}`;
    return hangText(`    ${paint.yellow("!")} `, stripControls(text), width);
  });
}

/** Modes that the agent does not have on this channel. */
function lackingLines({ state, lacks = {}, channel }: AgentRow, paint: Paint, width?: number): string[] {
  if (state !== "ready") return [];
  return groupByReason(lacks).flatMap(([reason, modes]) => {
    const text = `Channel ${channel} has no mode ${modes.join(", ")}. ${reason}`;
    return hangText(`    ${paint.dim("·")} `, stripControls(text), width);
  });
}

/** One entry for each reason, with the modes that it applies to. */
function groupByReason(reasons: Partial<Record<Mode, string>>): [string, string[]][] {
  const modes = Object.keys(reasons) as Mode[];
  return [...new Set(Object.values(reasons))].map((reason) => [
    reason,
    modes.filter((mode) => reasons[mode] === reason),
  ]);
}

function capabilityLines({ state, capabilities }: AgentRow, paint: Paint, width?: number): string[] {
  if (state !== "ready" || !capabilities) return [];
  const names = Object.entries(capabilities).flatMap(([name, has]) =>
    has ? [name === "forkAt" ? "fork at" : name] : [],
  );
  return hangText(`    ${paint.dim("can:")} `, names.join(", ") || "text only", width);
}

function problemLines(problem: Problem, paint: Paint, width?: number): string[] {
  return [
    ...hangText(`    ${paint.yellow("!")} `, stripControls(problem.message), width),
    ...(problem.fix ? hangText(`      ${paint.dim("fix:")} `, stripControls(problem.fix), width) : []),
  ];
}

function stateGlyph(state: AgentRow["state"], paint: Paint): string {
  switch (state) {
    case "ready":
      return paint.green("●");
    case "missing":
      return paint.dim("○");
    case "broken":
      return paint.red("✗");
    case "unknown":
      return paint.yellow("?");
  }
}

function missingWord(state: AgentRow["state"]): string {
  return state === "missing" ? "not installed" : state;
}

function authWord(row: AgentRow, paint: Paint): string {
  if (row.state === "missing") return "";
  if (row.auth.state === "ok") return paint.green("ok");
  return row.auth.state === "missing" ? paint.red("not logged in") : paint.dim("unknown");
}

function modelsWord(row: AgentRow): string {
  const standard = row.models.items.find((model) => model.default);
  const { source, items } = row.models;
  if (items.length === 0) return "not listed";
  return `${pluralize(items.length, source === "live" ? "model" : "built-in model")}${standard ? ` (${standard.id})` : ""}`;
}

function ageWord({ askedAt }: AgentRow, now: number): string {
  if (!askedAt || now - Date.parse(askedAt) < YOUNG_MS) return "";
  return ` · ${formatAgo(askedAt, now)}`;
}
