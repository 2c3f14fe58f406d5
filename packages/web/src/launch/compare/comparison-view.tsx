import type { ComparedLane, Comparison } from "@gantry/protocol";
import { useState } from "react";
import { Tabs } from "../../ui/controls/tabs.tsx";
import { AnswersTab } from "./answers-tab.tsx";
import { CommandsTab } from "./commands-tab.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { FilesTab } from "./files-tab.tsx";

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

/** One column per lane, all of the same width. */
export function Columns({
  lanes,
  children,
}: {
  lanes: readonly ComparedLane[];
  children: (lane: ComparedLane) => React.ReactNode;
}) {
  return (
    <div className="flex gap-3 overflow-x-auto pb-2">
      {lanes.map((lane) => (
        <section key={lane.lane} aria-label={lane.name} className="min-w-80 flex-1">
          <h3 className="truncate pb-1.5 text-xs font-medium text-soft">{lane.name}</h3>
          {children(lane)}
        </section>
      ))}
    </div>
  );
}
