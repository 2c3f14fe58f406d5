import { openComments, runningTasks } from "@gantry/protocol";
import { AppWindow, ClipboardList, FileDiff, ListChecks, SquareTerminal } from "lucide-react";
import { TOGGLE } from "../terminal/screen/keys.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";
import type { PanelTab } from "./panel-tab.ts";

/** The tabs of a session's panel, in their order. A new tab is a view in its feature's folder and an entry here. */
export const panelTabs: readonly PanelTab[] = [
  {
    id: "changes",
    name: "Changes",
    icon: <FileDiff size={14} />,
    view: lazyView(() => import("../review/review-view.tsx")),
    count: (session) => describeCount(openComments(session).length, "open comment"),
  },
  {
    id: "plan",
    name: "Plan",
    icon: <ClipboardList size={14} />,
    view: lazyView(() => import("../plan/plan-view.tsx")),
    count: ({ inputs }) => describeCount(inputs.filter(({ kind }) => kind === "plan").length, "pending plan"),
  },
  {
    id: "tasks",
    name: "Tasks",
    icon: <ListChecks size={14} />,
    view: lazyView(() => import("../tasks/tasks-view.tsx")),
    count: (session) => describeCount(runningTasks(session).length, "running task"),
  },
  {
    id: "preview",
    name: "Preview",
    icon: <AppWindow size={14} />,
    view: lazyView(() => import("../preview/session-previews.tsx")),
    // A frame that is removed from the document loads its site again.
    keepMounted: true,
  },
  {
    id: "terminal",
    name: "Terminal",
    icon: <SquareTerminal size={14} />,
    view: lazyView(() => import("../terminal/session-terminals.tsx")),
    keys: TOGGLE,
  },
];

function describeCount(count: number, name: string): { count: number; name: string } {
  return { count, name: count === 1 ? `1 ${name}` : `${count} ${name}s` };
}
