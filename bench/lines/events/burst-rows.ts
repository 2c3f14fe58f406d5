import { figures, type Outcome } from "../../context.ts";
import type { Row } from "../../report/table.ts";
import type { Burst } from "./bursting.ts";

/** The rows that all bursts have in common. `floor` is the bare pipe. */
export function burstRows(
  outcomes: Record<string, Outcome<Burst>>,
  floor: Outcome<Burst> | undefined,
  count: number,
): Row[] {
  const pick = (key: keyof Burst) => figures(outcomes, (burst) => burst[key]);
  const gantry = (key: keyof Burst) => ({ gantry: pick(key).gantry });
  const pipe = (key: keyof Burst) =>
    floor && "result" in floor ? { floor: { what: "bare pipe", value: floor.result[key] } } : {};
  return [
    { what: "delivered", unit: "", ...pick("delivered"), expected: count },
    { what: "lost", unit: "", ...pick("lost"), expected: 0 },
    { what: "out of order or twice", unit: "", ...pick("disorder"), expected: 0 },
    { what: "in the log after SIGKILL", unit: "", ...gantry("stored"), expected: count },
    { what: "rate", unit: "/s", ...pick("rate"), ...pipe("rate") },
    { what: "delay, median", unit: "ms", ...pick("p50"), ...pipe("p50") },
    { what: "delay, 99 %", unit: "ms", ...pick("p99"), ...pipe("p99") },
    { what: "memory of the server, peak", unit: "MB", ...pick("peakMb") },
  ];
}
