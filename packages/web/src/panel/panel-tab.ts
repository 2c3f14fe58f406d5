import type { SessionView } from "@gantry/protocol";
import type { ComponentType, ReactNode } from "react";

/** The props of a tab's view. */
export type PanelViewProps = {
  session: SessionView;
  /** Whether the panel fills the screen. */
  isSheet: boolean;
  /** Whether the user opened the tab, as opposed to a page that loads with it. The view may take the focus then. */
  focused: boolean;
  onClose: () => void;
};

/** A tab of the session's panel. `panel-tabs.tsx` lists all of them. */
export type PanelTab = {
  id: string;
  name: string;
  icon: ReactNode;
  view: ComponentType<PanelViewProps>;
  /** What waits there, with its name: `2 open comments`. Shown on the tab. */
  count?: (session: SessionView) => { count: number; name: string } | undefined;
  /** A shortcut that shows this tab, and hides the panel when the tab is shown. */
  keys?: string;
  /** The view stays mounted while another tab is shown, because a remount would lose its state. */
  keepMounted?: boolean;
};
