import { root } from "./application.ts";
import { makePaint } from "./terminal/paint.ts";

/** Commands by what a person wants to do. A command that is in no group is shown under the last one. */
const groups: [string, string[]][] = [
  [
    "Work",
    [
      "run",
      "launch",
      "send",
      "steer",
      "attach",
      "wait",
      "interrupt",
      "queue",
      "handoff",
      "schedule",
      "lanes",
      "identity",
    ],
  ],
  ["Look", ["ls", "show", "logs", "turns", "diff", "search", "usage", "limits", "launches", "compare"]],
  ["Decide", ["inbox", "answer", "allow", "deny", "grants"]],
  ["Keep house", ["rename", "close", "archive", "fork", "revert", "rm", "export", "import", "budget"]],
  [
    "Agents",
    [
      "agent",
      "trust",
      "agents",
      "models",
      "conversations",
      "install",
      "login",
      "auth",
      "doctor",
      "servers",
      "skills",
      "decode",
      "terminal",
    ],
  ],
  ["Daemon", ["serve", "stop", "status", "web"]],
  ["More", ["demo", "completion", "help"]],
];

/** The first screen. */
export function rootHelp(version: string, colour: boolean): string {
  const paint = makePaint(colour);
  const entries = root.getAllEntries().filter((entry) => !entry.hidden);
  const briefs = new Map(entries.map((entry) => [entry.name.original, entry.target.brief]));
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const stray = [...briefs.keys()].filter((name) => !grouped.has(name));
  const sections = groups.map(([title, names], index) => {
    const all = index === groups.length - 1 ? [...names, ...stray] : names;
    const rows = all.map((name) => `  ${paint.cyan(name.padEnd(14))}${briefs.get(name) ?? ""}`);
    return [paint.bold(title), ...rows].join("\n");
  });
  const start = [
    `${paint.bold("gantry")} ${paint.dim(version)}  every coding agent on your machine behind one durable session`,
    "",
    `  gantry demo                   ${paint.dim("see it work: no key, no network")}`,
    `  gantry run -a claude "…"      ${paint.dim("start an agent here")}`,
    `  gantry <command> --help       ${paint.dim("flags and examples; --json works everywhere")}`,
  ].join("\n");
  return `${[start, ...sections].join("\n\n")}\n`;
}
