import { plainOutput } from "../output/ansi.ts";
import type { Row } from "./row.ts";

/** The text of a row for copying. */
export function rowText(row: Row): string {
  switch (row.kind) {
    case "user":
    case "message":
    case "reasoning":
    case "note":
      return row.text;
    case "tool":
      return [row.title || row.name, outputText(row.output), ...row.changes.map((change) => change.diff ?? "")]
        .filter(Boolean)
        .join("\n");
    case "subagent":
      return [row.title, row.summary].filter(Boolean).join("\n");
    case "plan":
      return row.plan.entries.map(({ text, status }) => `- [${status === "completed" ? "x" : " "}] ${text}`).join("\n");
    case "input":
      return [row.request.title, row.request.detail].filter(Boolean).join("\n");
    case "turn":
      return row.ended.error?.message ?? row.changes.map((change) => change.diff ?? change.path).join("\n");
    case "handoff":
      return row.handoff.brief ?? `${row.handoff.from} → ${row.handoff.to}`;
    case "error":
      return `${row.failure.message}\n${row.failure.remedy}`;
    case "stalled":
      return row.stalled.reason;
    case "limit":
    case "compacted":
    case "raw":
      return JSON.stringify(row.events.map((event) => event.data));
  }
}

function outputText(output: string | { head: string; tail: string } | undefined): string {
  if (output === undefined) return "";
  return plainOutput(typeof output === "string" ? output : `${output.head}\n…\n${output.tail}`);
}
