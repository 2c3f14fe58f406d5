import type { ComparedLane, Comparison } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { Markdown } from "../../transcript/markdown/markdown.tsx";
import { Tabs } from "../../ui/controls/tabs.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { LandedBanner } from "../landed.tsx";
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
  const { value: landings = [], reload } = useQuery("landings", () => client.landings.list());
  const landed = landings.filter(({ lane, state }) => state === "done" && lanes.some((one) => one.lane === lane));
  const reloadAll = () => {
    reload();
    onChanged();
  };
  const tabs = [
    { id: "changes", name: "Changes", content: () => <FilesTab comparison={comparison} /> },
    { id: "commands", name: "Commands", content: () => <CommandsTab lanes={lanes} /> },
    { id: "answers", name: "Answers", content: () => <AnswersTab lanes={lanes} /> },
  ];
  return (
    <>
      {landed[0] && <LandedBanner landed={landed[0]} lanes={lanes} onChanged={reloadAll} />}
      <FiguresTable
        comparison={comparison}
        landed={landed.map(({ lane }) => lane)}
        onChanged={reloadAll}
        onCheck={onCheck}
      />
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
