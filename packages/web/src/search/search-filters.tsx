import { X } from "lucide-react";
import { useMemo } from "react";
import { foldersOf } from "../board/filters.ts";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { ages, filterNames, kinds, orders, type SearchFilters } from "./filter-query.ts";

type SearchFiltersProps = { filters: SearchFilters; onChange: (filters: SearchFilters) => void };

/** Restricts a search by agent, folder, kind of text and age, and orders it. */
export function SearchFilterBar({ filters, onChange }: SearchFiltersProps) {
  const rows = useCell(agents);
  const sessions = useSessions();
  const agentChoices = useMemo(() => {
    const ids = new Set([...sessions.map((session) => session.agent), ...(filters.agent ? [filters.agent] : [])]);
    return [...ids].map((id) => ({ value: id, label: agentName(rows, id) }));
  }, [sessions, rows, filters.agent]);
  const folderChoices = useMemo(() => {
    const known = foldersOf(sessions).map(({ path, name }) => ({ value: path, label: name }));
    const { folder } = filters;
    return folder && !known.some(({ value }) => value === folder)
      ? [...known, { value: folder, label: folder }]
      : known;
  }, [sessions, filters]);
  const pick = (name: keyof SearchFilters) => (value: string) => onChange({ ...filters, [name]: value });
  const isFiltered = filterNames.some((name) => filters[name]);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-5 py-1.5">
      <Select
        label="Agent of the session"
        value={filters.agent ?? ""}
        choices={[{ value: "", label: "All agents" }, ...agentChoices]}
        onChoose={pick("agent")}
      />
      <Select
        label="Folder of the session"
        className="max-w-56"
        value={filters.folder ?? ""}
        choices={[{ value: "", label: "All folders" }, ...folderChoices]}
        onChoose={pick("folder")}
      />
      <Select label="Kind of text" value={filters.kind ?? ""} choices={kinds} onChoose={pick("kind")} />
      <Select label="Age" value={filters.since ?? ""} choices={ages} onChoose={pick("since")} />
      <Select label="Order" value={filters.order ?? ""} choices={orders} onChoose={pick("order")} />
      {isFiltered && (
        <Button look="quiet" icon={<X size={13} />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}
