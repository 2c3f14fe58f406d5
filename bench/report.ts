import { cpus, loadavg, release, totalmem } from "node:os";
import { isKept, type Row, renderTable, type Section } from "./table.ts";

export type Conditions = { at: string; seconds: number; loadBefore: number; quick: boolean; missing: string[] };

/** Gantry's figure is called worse than a peer's from this factor on; less is noise. */
const NOISE = 1.1;

/** The text of BENCHMARKS.md. It is made by a run and by nothing else. */
export function report(sections: readonly Section[], peers: readonly string[], conditions: Conditions): string {
  const shortfalls = sections.flatMap((section) => section.rows.flatMap((row) => shortfallsOf(section, row)));
  const absent = conditions.missing.map((name) => `- **${name} could not be installed and was not measured.**`);
  return `# Benchmarks

Made by \`npm run bench -- --update\` and never edited by hand. Every figure, Gantry's, the floors' and the peers', was
measured in the same run on the same machine, one after the other. A ratio is Gantry's figure divided by the one to its
left: below 1× is less.

\`\`\`sh
npm run bench                    # everything, about ten minutes
npm run bench -- --quick         # smaller, about three minutes
npm run bench -- --only burst    # one line: ${sections.map(({ name }) => name).join(", ")}
npm run bench -- --update        # everything, and writes this file
\`\`\`

Peers are installed from npm into \`.cache/bench-peers\`. They, and Gantry, run with a home folder of their own under the
temporary folder, on loopback, with fake agents and a fake model: no account and no network.

## The machine

${machine(conditions)}

## Figures

${sections.map((section) => `### ${section.title} (\`${section.name}\`)\n\n${section.about}\n\n${renderTable(section.rows, peers)}`).join("\n\n")}

## Where Gantry falls short

${[...absent, ...shortfalls].join("\n") || "- Nowhere in this run."}
`;
}

function machine({ at, seconds, loadBefore, quick }: Conditions): string {
  const [first] = cpus();
  const lines = [
    `${first?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Linux ${release()}, Node ${process.versions.node}`,
    `${at.slice(0, 16).replace("T", " ")} UTC, ${Math.round(seconds)} s${quick ? ", with `--quick`" : ""}`,
    `load average ${loadBefore.toFixed(1)} before and ${loadavg()[0]?.toFixed(1)} after (above ${cpus().length} others were using the machine too)`,
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}

function shortfallsOf(section: Section, row: Row): string[] {
  const lines: string[] = [];
  const { gantry } = row;
  if (isKept(row) === false) lines.push(`- ${section.title}: **${row.what}** misses its promise.`);
  if (typeof gantry !== "number") return lines;
  for (const [peer, figure] of Object.entries(row.peers ?? {})) {
    if (typeof figure !== "number" || row.expected !== undefined || !(figure > 0)) continue;
    const factor = row.unit === "/s" ? figure / gantry : gantry / figure;
    if (factor > NOISE) lines.push(`- ${section.title}: ${row.what} is ${factor.toFixed(1)}× worse than ${peer}'s.`);
  }
  return lines;
}
