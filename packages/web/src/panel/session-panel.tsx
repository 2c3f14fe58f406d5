import type { SessionView } from "@gantry/protocol";
import { X } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useCell } from "../store/cell.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { ResizeHandle } from "../ui/controls/resize-handle.tsx";
import { closePanel, focusedTab, panelWidth, showTab } from "./panel-state.ts";
import type { PanelTab } from "./panel-tab.ts";
import { TabList } from "./tab-list.tsx";
import { useIsSheet, usePanel } from "./use-panel.ts";

const MIN_WIDTH = 380;
/** The transcript keeps this width. */
const RESERVED = 640;

type SessionPanelProps = { session: SessionView; tabs: readonly PanelTab[] };

/** The panel next to a session's transcript, if it is open. On a phone it is a sheet over the whole screen. */
export function SessionPanel({ session, tabs }: SessionPanelProps) {
  const { open } = usePanel(session.id);
  return open ? <OpenPanel key={session.id} session={session} tabs={tabs} /> : null;
}

function OpenPanel({ session, tabs }: SessionPanelProps) {
  const width = useCell(panelWidth);
  const isSheet = useIsSheet();
  const close = () => closePanel(session.id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isSheet && !event.defaultPrevented) close();
  };
  return (
    <>
      {!isSheet && (
        <ResizeHandle
          label="Panel width"
          edge="left"
          size={width}
          min={MIN_WIDTH}
          reserved={RESERVED}
          onResize={(to) => panelWidth.set(to)}
        />
      )}
      <aside
        aria-label="Panel"
        onKeyDown={onKeyDown}
        style={isSheet ? undefined : { width }}
        className={classes(
          "@container flex min-h-0 min-w-0 flex-col bg-surface",
          isSheet ? "fixed inset-0 z-30" : "max-w-[70vw] shrink-0",
        )}
      >
        <PanelContent session={session} tabs={tabs} isSheet={isSheet} onClose={close} />
      </aside>
    </>
  );
}

type PanelContentProps = SessionPanelProps & { isSheet: boolean; onClose: () => void };

function PanelContent({ session, tabs, isSheet, onClose }: PanelContentProps) {
  const base = useId();
  const chosen = usePanel(session.id).tab;
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const request = useCell(focusedTab);
  const focused = request?.session === session.id && request.tab === current?.id;
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  if (current?.keepMounted && !visited.has(current.id)) setVisited(new Set([...visited, current.id]));
  return (
    <>
      <header className="flex shrink-0 items-center border-b border-line pr-2">
        <TabList
          base={base}
          session={session}
          tabs={tabs}
          current={current?.id}
          focused={focused}
          onChoose={(tab, options) => showTab(session.id, tab, options)}
        />
        <Button look="quiet" label="Close panel" icon={<X size={16} />} onClick={onClose} />
      </header>
      {tabs
        .filter(({ id }) => id === current?.id || visited.has(id))
        .map(({ id, view: View }) => (
          <div
            key={id}
            role="tabpanel"
            id={`${base}-${id}-panel`}
            aria-labelledby={`${base}-${id}`}
            hidden={id !== current?.id}
            className={classes("min-h-0 min-w-0 grow flex-col", id === current?.id ? "flex" : "hidden")}
          >
            <View session={session} isSheet={isSheet} focused={focused && id === current?.id} onClose={onClose} />
          </div>
        ))}
    </>
  );
}
