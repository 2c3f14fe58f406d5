import type { ComparedLane, Comparison } from "@gantry/protocol";
import { useState } from "react";
import { Markdown } from "../../transcript/markdown/markdown.tsx";
import { Tabs } from "../../ui/controls/tabs.tsx";
import { CommandsTab } from "./commands-tab.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { FilesTab } from "./files-tab.tsx";
import { LaneColumns } from "./lane-columns.tsx";

type ComparisonViewProps = {
  comparison: Comparison;
  onChanged: () => void;
  /** Runs a command in each lane; absent if the lanes do not belong to a launch. */
  onCheck?: (command: string) => Promise<void>;
};

/** Lanes side by side: figures, changes, commands and answers. */
export function ComparisonView({ comparison, onChanged, onCheck }: ComparisonViewProps) {
  const [chosen, choose] = useState("changes");
  const { lanes } = comparison;
  const tabs = [
    { id: "changes", name: "Changes", content: () => <FilesTab comparison={comparison} /> },
    { id: "commands", name: "Commands", content: () => <CommandsTab lanes={lanes} /> },
    { id: "answers", name: "Answers", content: () => <AnswersTab lanes={lanes} /> },
  ];
  return (
    <>
      <FiguresTable comparison={comparison} onChanged={onChanged} onCheck={onCheck} />
      <div className="mt-6">
        <Tabs label="Side by side" tabs={tabs} chosen={chosen} onChoose={choose} />
      </div>
    </>
  );
}

/** The last message of each agent. */
function AnswersTab({ lanes }: { lanes: readonly ComparedLane[] }) {
  return (
    <LaneColumns lanes={lanes}>
      {({ last }) => (last ? <Markdown text={last} /> : <p className="text-faint">No answer yet.</p>)}
    </LaneColumns>
  );
}
