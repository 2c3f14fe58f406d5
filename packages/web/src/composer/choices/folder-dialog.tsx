import { CornerLeftUp, Folder, FolderGit2, History } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { absolutePath, filterByPrefix, splitTypedPath } from "./folder-path.ts";
import { useFolders } from "./use-folders.ts";

type FolderDialogProps = { folder: string | undefined; onChoose: (folder: string) => void; onClose: () => void };

/** One line of the list. `take`: choosing it selects the folder; otherwise it opens the folder. */
type Row = { path: string; label: string; icon: ReactNode; take: boolean };

/** Picks a folder on the daemon's machine: a recent one, by browsing, or by typing its path. */
export function FolderDialog({ folder, onChoose, onClose }: FolderDialogProps) {
  const { typed, path, missing, rows, active, look, use, onKeyDown } = useFolderBrowser(folder, onChoose);
  return (
    <Dialog title="Choose a folder" onClose={onClose}>
      <div className="flex gap-2">
        <input
          autoFocus
          role="combobox"
          aria-label="Path"
          aria-expanded={rows.length > 0}
          aria-controls="folders"
          aria-activedescendant={active >= 0 ? `folders-${active}` : undefined}
          placeholder="/home/me/project"
          spellCheck={false}
          value={typed}
          onChange={(event) => look(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-8 min-w-0 grow rounded-md border border-line bg-surface px-2 font-mono text-xs"
        />
        <Button look="primary" className="h-8" disabled={!path || missing} onClick={() => use(undefined)}>
          Use this folder
        </Button>
      </div>
      <div id="folders" role="listbox" aria-label="Folders" className="mt-2 h-72 overflow-y-auto">
        {rows.map((row, index) => (
          <FolderRow
            key={row.path + row.take}
            id={`folders-${index}`}
            row={row}
            active={index === active}
            onUse={use}
          />
        ))}
      </div>
      {missing && <p className="text-bad">This folder does not exist on the daemon's machine.</p>}
    </Dialog>
  );
}

/** The typed path, the matching folders, and the keyboard control of the list. */
function useFolderBrowser(folder: string | undefined, onChoose: (folder: string) => void) {
  const [typed, setTyped] = useState(folder ? `${folder}/` : "");
  const [active, setActive] = useState(-1);
  const [home, setHome] = useState<string>();
  const { list, missing } = useFolders(splitTypedPath(typed, home).folder);
  if (list && list.home !== home) setHome(list.home);
  const { prefix } = splitTypedPath(typed, home);
  const rows = missing ? [] : rowsOf(list, prefix, typed);
  const path = absolutePath(typed, home);
  const look = (next: string) => {
    setTyped(next);
    setActive(-1);
  };
  const use = (row: Row | undefined) => {
    if (row) return row.take ? onChoose(row.path) : look(row.path === "/" ? "/" : `${row.path}/`);
    if (path && !missing) onChoose(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive((at) => Math.min(at + 1, rows.length - 1));
    else if (event.key === "ArrowUp") setActive((at) => Math.max(at - 1, -1));
    else if (event.key === "Tab" && !event.shiftKey && prefix !== "" && rows[0]) use(rows[Math.max(active, 0)]);
    else if (event.key === "Enter") use(rows[active]);
    else return;
    event.preventDefault();
  };
  return { typed, path, missing, rows, active, look, use, onKeyDown };
}

function rowsOf(list: ReturnType<typeof useFolders>["list"], prefix: string, typed: string): Row[] {
  if (!list) return [];
  const icon = (git: boolean) => (git ? <FolderGit2 size={14} /> : <Folder size={14} />);
  const recent = typed === "" || typed.endsWith("/") ? list.recent : [];
  const up = list.parent && prefix === "" ? [list.parent] : [];
  return [
    ...recent.map(({ path }) => ({ path, label: path, icon: <History size={14} />, take: true })),
    ...up.map((path) => ({ path, label: "..", icon: <CornerLeftUp size={14} />, take: false })),
    ...filterByPrefix(list.folders, prefix).map(({ name, path, git }) => ({
      path,
      label: name,
      icon: icon(git),
      take: false,
    })),
  ];
}

type FolderRowProps = { id: string; row: Row; active: boolean; onUse: (row: Row) => void };

function FolderRow({ id, row, active, onUse }: FolderRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the focus and handles the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onUse(row)}
      className={classes(
        "flex cursor-pointer items-center gap-2 rounded px-2 py-1 font-mono text-xs hover:bg-hover",
        active ? "bg-hover text-ink" : "text-soft",
      )}
    >
      <span className="shrink-0 text-faint">{row.icon}</span>
      <span className="truncate">{row.label}</span>
    </div>
  );
}
