import type { SessionView } from "@gantry/protocol";
import { PanelRight } from "lucide-react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Button } from "../ui/controls/button.tsx";
import { togglePanel } from "./panel-state.ts";
import type { PanelTab } from "./panel-tab.ts";
import { Count } from "./tab-list.tsx";
import { usePanel } from "./use-panel.ts";

type PanelButtonProps = { session: SessionView; tabs: readonly PanelTab[] };

/** Opens and closes the panel of a session. Shows how much waits in its tabs. */
export function PanelButton({ session, tabs }: PanelButtonProps) {
  const { open } = usePanel(session.id);
  const waiting = tabs.flatMap((tab) => tab.count?.(session) ?? []).filter(({ count }) => count > 0);
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  useShortcuts([
    { keys: "mod+j", does: "Show or hide the panel", run: () => togglePanel(session.id), whileTyping: true },
    ...tabs.flatMap(({ id, name: tab, keys }) =>
      keys ? [{ keys, does: `Show or hide ${tab}`, run: () => togglePanel(session.id, id), whileTyping: true }] : [],
    ),
  ]);
  return (
    <Button
      look={open ? "plain" : "quiet"}
      label="Panel"
      title={["Panel", ...waiting.map(({ name }) => name)].join(", ")}
      aria-pressed={open}
      icon={<PanelRight size={16} />}
      onClick={() => togglePanel(session.id)}
    >
      {!open && total > 0 && <Count count={total} />}
    </Button>
  );
}
