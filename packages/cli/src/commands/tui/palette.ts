import { formatAmount, formatTokens, renderTable, shortId, stripControls } from "@gantry/terminal";
import { agentHeader, agentLines } from "../agents/render.ts";
import { environmentChecks } from "../doctor/environment.ts";
import { checkLines } from "../doctor/render.ts";
import { comparisonLines, launchLines } from "../launches/render.ts";
import type { Choice } from "./picker.ts";
import type { Program } from "./view.ts";
import { ComposeView } from "./views/compose-view.ts";
import { InboxView } from "./views/inbox-view.ts";
import { TextView } from "./views/text-view.ts";

type Action = Choice & { key?: string; run(program: Program): void };

/** What works everywhere; the keys only where no text is typed. */
export const ACTIONS: readonly Action[] = [
  { id: "new", label: "New session", key: "n", run: (program) => program.open(new ComposeView(program, false)) },
  { id: "inbox", label: "Inbox", key: "i", run: (program) => program.open(new InboxView(program)) },
  { id: "search", label: "Search all sessions", key: "/", run: openSearch },
  {
    id: "launch",
    label: "Launch several agents",
    key: "shift+l",
    run: (program) => program.open(new ComposeView(program, true)),
  },
  { id: "launches", label: "Launches", key: "l", run: pickLaunch },
  { id: "usage", label: "Usage", key: "u", run: openUsage },
  { id: "doctor", label: "Doctor", run: openDoctor },
  { id: "keys", label: "Keys", key: "?", run: openKeys },
  { id: "quit", label: "Quit", key: "q", run: (program) => program.quit() },
];

/** All actions, and every session by its title. */
export function openPalette(program: Program): void {
  const sessions = program.store.ordered.map(({ session }) => ({
    id: session.id,
    label: stripControls(session.title) || "Untitled",
    about: `${session.agent} · ${shortId(session.id)}`,
  }));
  const actions = ACTIONS.map(({ id, label, key }) => ({ id, label, ...(key ? { about: key } : {}) }));
  program.pick("Commands and sessions", [...actions, ...sessions], ({ id }) => {
    const action = ACTIONS.find((one) => one.id === id);
    if (action) action.run(program);
    else program.openSession(id);
  });
}

function openSearch(program: Program): void {
  program.ask("Search all sessions", "", (query) => {
    program.attempt(async () => {
      const hits = await program.client.search(query, { limit: 50 });
      if (hits.length === 0) return program.notify(`Nothing matches ${query}.`, true);
      const choices = hits.map((hit) => ({
        id: `${hit.session}#${hit.seq}`,
        label: stripControls(hit.snippet).replaceAll("\n", " "),
        about: stripControls(hit.title),
      }));
      program.pick(`${hits.length} matches for ${query}`, choices, ({ id }) =>
        program.openSession(id.split("#")[0] ?? ""),
      );
    });
  });
}

function pickLaunch(program: Program): void {
  program.attempt(async () => {
    const launches = await program.client.launches.list();
    if (launches.length === 0) return program.notify("There are no launches. L starts one.");
    const choices = launches.map((launch) => ({
      id: launch.id,
      label: stripControls(launch.prompt),
      about: launch.state,
    }));
    program.pick("Launches", choices, ({ id }) => {
      const view = new TextView(program, "Launch and comparison", async (width) => {
        const [launch, comparison] = await Promise.all([
          program.client.launches.get(id),
          program.client.launches.compare(id, true),
        ]);
        const look = { paint: program.theme, width };
        return [...launchLines(launch, look), "", ...comparisonLines(comparison, look, true)].flatMap((line) =>
          line.split("\n"),
        );
      });
      program.open(view);
    });
  });
}

function openUsage(program: Program): void {
  const load = async (width: number) => {
    const report = await program.client.usage("agent,model");
    const rows = [...report.rows, { ...report.total, agent: "total", model: "" }].map((row) => [
      row.agent ?? "",
      row.model ?? "",
      String(row.turns),
      formatTokens(row.usage.input),
      formatTokens(row.usage.cacheRead),
      formatTokens(row.usage.output),
      `$${formatAmount(row.cost.usd)}`,
    ]);
    const columns = ["AGENT", "MODEL", "TURNS", "INPUT", "CACHED", "OUTPUT", "COST"].map((title) => ({ title }));
    return renderTable(columns, rows, { header: program.theme.dim, width });
  };
  program.open(new TextView(program, "Usage", load));
}

function openDoctor(program: Program): void {
  const load = async (width: number) => {
    const { theme, client, context } = program;
    const checks = environmentChecks(context.home).flatMap((check) => checkLines(check, theme, width));
    const agents = await client.agents.list();
    const rows = agents.filter(({ state }) => state !== "missing").flatMap((row) => agentLines(row, theme, width));
    return [...checks, "", agentHeader(theme), ...rows];
  };
  program.open(new TextView(program, "Doctor", load));
}

function openKeys(program: Program): void {
  const keys: [string, string][] = [
    ["ctrl+p", "commands and sessions"],
    ...ACTIONS.flatMap(({ key, label }): [string, string][] => (key ? [[key, label]] : [])),
    ["esc", "back; in a session with a running turn: stop"],
    ["y s n d e", "on a request: allow, for this session, deny, deny with feedback, edit"],
    ["j k x o", "in the inbox: select, mark, open; Y and N answer the marked ones"],
    ["ctrl+o", "in a session: all output, diffs and reasoning"],
    ["ctrl+r", "in a session: review the changes"],
    ["ctrl+t", "in a session: queue and background tasks"],
    ["shift+tab", "in a session: next mode"],
    ["ctrl+g", "write the message in your editor"],
    ["PgUp PgDn", "scroll; at the top earlier events are loaded"],
    ["shift+enter", "new line (ctrl+j everywhere)"],
    ["ctrl+c", "clear the message; twice: quit"],
  ];
  const { theme } = program;
  const lines = keys.map(([key, meaning]) => `${theme.bold(key.padEnd(14))} ${meaning}`);
  program.open(new TextView(program, "Keys", async () => ["", ...lines]));
}
