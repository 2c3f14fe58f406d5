import type { ComparedLane } from "@gantry/protocol";
import { Markdown } from "../../transcript/markdown/markdown.tsx";
import { Columns } from "./comparison-view.tsx";

/** The last message of each agent. */
export function AnswersTab({ lanes }: { lanes: readonly ComparedLane[] }) {
  return (
    <Columns lanes={lanes}>
      {({ last }) => (last ? <Markdown text={last} /> : <p className="text-faint">No answer yet.</p>)}
    </Columns>
  );
}
