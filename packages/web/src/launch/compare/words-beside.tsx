import type { ComparedLane } from "@gantry/protocol";
import { Markdown } from "../../transcript/markdown/markdown.tsx";
import { Columns } from "./comparison-view.tsx";

/** What each of them said last. */
export function WordsBeside({ lanes }: { lanes: readonly ComparedLane[] }) {
  return (
    <Columns lanes={lanes}>
      {({ last }) => (last ? <Markdown text={last} /> : <p className="text-faint">Nothing was said yet.</p>)}
    </Columns>
  );
}
