import type { Client } from "@gantry/client";
import { type ComparedLane, GantryError } from "@gantry/protocol";
import { z } from "zod";
import { cutText } from "../reading/cut-text.ts";
import { fileFields, fileLines, listFiles } from "../reading/rows.ts";
import { defineTool } from "./define-tool.ts";

const MOST_LANES = 16;
const MOST_ANSWER = 2000;

const Conflict = z.object({ with: z.string(), name: z.string(), state: z.string(), files: z.array(z.string()) });

const Compared = z.object({
  lane: z.string(),
  name: z.string(),
  branch: z.string().optional(),
  sessions: z.array(z.string()),
  agents: z.array(z.string()),
  state: z.string(),
  outcome: z.string().optional(),
  ...fileFields,
  additions: z.number().int(),
  deletions: z.number().int(),
  patch: z.string().optional(),
  patchCut: z.boolean().optional().describe("The patch is cut: read it with read_session or gantry://lane/<lane>/diff"),
  tests: z.object({ passed: z.number().int(), failed: z.number().int(), last: z.string().optional() }),
  check: z.string().optional(),
  turns: z.number().int(),
  seconds: z.number(),
  usd: z.number().optional(),
  answer: z.string().optional(),
  conflicts: z.array(Conflict).describe("Conflicts with the base and with the other compared lanes"),
  unchecked: z.string().optional().describe("Why there was no check for conflicts"),
});

export const compareLanes = defineTool({
  name: "compare_lanes",
  title: "Compare lanes",
  description:
    "Compares the work in several lanes of one repository: changed files, tests, cost, the agent's answer, files that more than one lane changed, and conflicts with the base and with each other.",
  input: z.strictObject({
    lanes: z.array(z.string().min(1).max(210)).min(1).max(MOST_LANES).describe("Ids or names"),
    cwd: z.string().max(4096).optional().describe("A folder of the repository, for names"),
    patch: z.boolean().default(false).describe("Include the patches"),
    max_chars: z.int().min(500).max(200_000).default(40_000).describe("The size of all patches together"),
  }),
  output: z.object({
    base: z.string(),
    lanes: z.array(Compared),
    overlap: z.array(z.object({ path: z.string(), lanes: z.array(z.string()) })),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ client, cwd: own }, { lanes, cwd = own, patch, max_chars: maxChars }) {
    const comparison = await client.compare(lanes, { cwd, patch });
    const room = Math.floor(maxChars / Math.max(1, comparison.lanes.length));
    const ids = new Set(comparison.lanes.map(({ lane }) => lane));
    const rows = await Promise.all(
      comparison.lanes.map(async (lane) => {
        const checked = await readConflicts(client, lane.lane, ids);
        return { ...rowOf(lane), ...(patch ? patchOf(lane, room) : {}), ...checked };
      }),
    );
    const base = comparison.base.ref ?? comparison.base.commit;
    const shared = comparison.overlap.map(({ path, lanes: by }) => `Changed by ${by.length} lanes: ${path}`);
    const text = [`Compared to ${base}:`, ...rows.map(textOf), ...shared].join("\n\n");
    return { data: { base, lanes: rows, overlap: comparison.overlap }, text };
  },
});

/** Conflicts with the base and with the compared lanes, or the reason why the check is not possible. */
async function readConflicts(client: Client, lane: string, compared: ReadonlySet<string>) {
  try {
    const found = (await client.landings.conflicts(lane)).conflicts
      .filter((one) => one.state !== "clean" && (one.with === "base" || compared.has(one.with)))
      .map(({ with: other, name, state, files }) => ({ with: other, name, state, files }));
    return { conflicts: found };
  } catch (error) {
    if (!(error instanceof GantryError)) throw error;
    return { conflicts: [], unchecked: error.message };
  }
}

function rowOf(lane: ComparedLane): Omit<z.input<typeof Compared>, "conflicts"> {
  const { branch, sessions, state, outcome, diff, tests, check, turns, durationMs, cost, last } = lane;
  return {
    ...{ lane: lane.lane, name: lane.name, branch, sessions, state, outcome, tests, turns },
    agents: lane.agents.map(({ agent, model }) => [agent, model].filter(Boolean).join(" ")),
    ...listFiles(diff.files),
    additions: diff.additions,
    deletions: diff.deletions,
    check: check && `${check.command}: ${check.state}${check.stale ? " (the lane has changed since)" : ""}`,
    seconds: Math.round(durationMs / 1000),
    usd: cost?.usd,
    answer: last && cutText(last, MOST_ANSWER),
  };
}

function patchOf({ diff }: ComparedLane, room: number) {
  const patchCut = diff.patch.length > room || diff.left.length > 0;
  return { patch: cutText(diff.patch, room), ...(patchCut ? { patchCut } : {}) };
}

function textOf(lane: z.input<typeof Compared>): string {
  const {
    name,
    agents,
    state,
    outcome,
    files,
    moreFiles = 0,
    additions,
    deletions,
    tests,
    check,
    usd,
    seconds,
    conflicts,
  } = lane;
  const cost = usd === undefined ? "" : `, $${usd.toFixed(4)}`;
  const lines = [
    `${name} (${lane.lane}; ${agents.join(", ") || "no session"}): ${outcome ?? state}, ${seconds} s${cost}`,
    `${files.length + moreFiles} files, +${additions} -${deletions}; test runs: ${tests.passed} passed, ${tests.failed} failed`,
    ...fileLines(lane),
    ...(check ? [`Check: ${check}`] : []),
    ...conflicts.map((one) => `Conflict with ${one.name}: ${one.files.join(", ") || one.state}`),
    ...(lane.unchecked ? [`Conflicts were not checked: ${lane.unchecked}`] : []),
    ...(lane.answer ? [`Its last message: ${lane.answer}`] : []),
    ...(lane.patch ? [lane.patch] : []),
    ...(lane.patchCut ? [`The patch is cut; gantry://lane/${lane.lane}/diff has more.`] : []),
  ];
  return lines.join("\n");
}
