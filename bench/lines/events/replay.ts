import { replayAgent } from "../../agents/bare-pipe.ts";
import { readRecording, type Vendor } from "../../agents/recording.ts";
import { type Context, figures, inRounds, type Line } from "../../context.ts";
import { gantryReplaying } from "../../gantry.ts";
import type { Row } from "../../report/table.ts";
import { type Burst, combineAll, measureBarePipe, measureBurst } from "./bursting.ts";

const PIPE = "bare pipe";
const NAMES: Record<Vendor, string> = { claude: "Claude Code", codex: "Codex" };

/** Recordings of the vendors' own programs, repeated at full speed. */
export const replay: Line = {
  name: "replay",
  async run(context) {
    const rows: Row[] = [];
    for (const vendor of ["claude", "codex"] as const) rows.push(...(await rowsOf(context, vendor)));
    return {
      name: "replay",
      title: "Recordings of Claude Code and Codex at full speed",
      about:
        "A program repeats a turn of the vendor's own program (Claude Code 2.1.325 in stream-json with partial messages, Codex 0.166.0 as app-server; the recordings of the decoder tests, with text, reasoning, commands and a file) without a pause, with fresh ids that contain the number and the creation time of the repetition. Requests for approval are left out of the recordings, so that nothing waits. The client checks that every tool call starts once and ends once, in the recorded order; in the log: the same in the database after SIGKILL. Rate: all events of the log per second, from the creation of the first to the arrival of the last; the floor is the same program on a bare pipe, its lines parsed with JSON.parse, counted as if it gave the same number of events. No peer takes the vendors' own protocols.",
      rows,
    };
  },
};

async function rowsOf(context: Context, vendor: Vendor): Promise<Row[]> {
  const [wanted, rounds] = context.pick({ full: [10_000, 3], quick: [2_000, 2], smoke: [16, 1] });
  const { length } = readRecording(vendor).edges;
  const count = Math.ceil(wanted / length) * length;
  const contestant = gantryReplaying(vendor);
  const runs = await inRounds(context, `replay ${vendor}`, rounds, [
    { name: "gantry", run: () => measureBurst(context, contestant, count, (open) => open.burst(count)) },
    { name: PIPE, run: () => measureBarePipe(context, replayAgent(vendor), count, `[[burst:${count}]]`) },
  ]);
  const { [PIPE]: floor, ...outcomes } = combineAll(runs);
  const pick = (choose: (burst: Burst) => number) => figures(outcomes, choose);
  const { gantry: logged } = pick((burst) => burst.logged);
  const value = floor && "result" in floor ? (Number(logged) / floor.result.ms) * 1000 : Number.NaN;
  const of = (what: string) => `${NAMES[vendor]}: ${what}`;
  return [
    { what: of("starts and ends of tools lost"), unit: "", ...pick(({ lost }) => lost), expected: 0 },
    { what: of("out of order or twice"), unit: "", ...pick(({ disorder }) => disorder), expected: 0 },
    { what: of("in the log after SIGKILL"), unit: "", ...pick(({ stored }) => stored), expected: count },
    { what: of("rate"), unit: "/s", ...pick((b) => (b.logged / b.ms) * 1000), floor: { what: PIPE, value } },
    { what: of("delay, median"), unit: "ms", ...pick(({ p50 }) => p50) },
    { what: of("delay, 99 %"), unit: "ms", ...pick(({ p99 }) => p99) },
    { what: of("memory of the server, peak"), unit: "MB", ...pick(({ peakMb }) => peakMb) },
  ];
}
