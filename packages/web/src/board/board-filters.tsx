import type { AgentRow, SessionView } from "@gantry/protocol";
import { Archive, X } from "lucide-react";
import { type RefObject, useMemo } from "react";
import { useLocation } from "wouter";
import { agentName } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { filters, foldersOf, isFiltered, noFilters, setFilter } from "./filters.ts";

type BoardFiltersProps = {
  sessions: readonly SessionView[];
  rows: readonly AgentRow[];
  field: RefObject<HTMLInputElement | null>;
};

/** The filters of the board. Enter in the text field searches all sessions for its text. */
export function BoardFilters({ sessions, rows, field }: BoardFiltersProps) {
  const now = useCell(filters);
  const [, go] = useLocation();
  const agentChoices = useMemo(() => {
    const ids = [...new Set(sessions.map((session) => session.agent))];
    return ids.map((id) => ({ value: id, label: agentName(rows, id) }));
  }, [sessions, rows]);
  const folderChoices = useMemo(
    () => foldersOf(sessions).map(({ path, name }) => ({ value: path, label: name })),
    [sessions],
  );
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      <input
        ref={field}
        aria-label="Filter sessions"
        placeholder="Filter"
        value={now.text}
        onChange={(event) => setFilter("text", event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && now.text.trim()) go(`/search?q=${encodeURIComponent(now.text.trim())}`);
          if (event.key === "Escape") [setFilter("text", ""), field.current?.blur()];
        }}
        className="h-7 w-44 max-sm:w-24 rounded-md border border-line bg-surface px-2 placeholder:text-faint"
      />
      {agentChoices.length > 1 && (
        <Select
          label="Filter by agent"
          value={now.agent}
          choices={[{ value: "", label: "All agents" }, ...agentChoices]}
          onChoose={(value) => setFilter("agent", value)}
        />
      )}
      {folderChoices.length > 1 && (
        <Select
          label="Filter by folder"
          value={now.folder}
          choices={[{ value: "", label: "All folders" }, ...folderChoices]}
          onChoose={(value) => setFilter("folder", value)}
        />
      )}
      <Toggle name="Unread" on={now.unread} onToggle={(on) => setFilter("unread", on)} />
      <Toggle
        name="Archived"
        icon={<Archive size={13} />}
        on={now.archived}
        onToggle={(on) => setFilter("archived", on)}
      />
      {isFiltered(now) && (
        <Button
          look="quiet"
          icon={<X size={13} />}
          onClick={() => filters.set({ ...noFilters, archived: now.archived })}
        >
          Clear
        </Button>
      )}
    </div>
  );
}

type ToggleProps = { name: string; icon?: React.ReactNode; on: boolean; onToggle: (on: boolean) => void };

function Toggle({ name, icon, on, onToggle }: ToggleProps) {
  return (
    <Button
      look="quiet"
      aria-pressed={on}
      icon={icon}
      onClick={() => onToggle(!on)}
      className="aria-pressed:bg-accent-wash aria-pressed:text-accent"
    >
      {name}
    </Button>
  );
}
