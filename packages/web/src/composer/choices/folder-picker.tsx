import { Folder } from "lucide-react";
import { useMemo, useState } from "react";
import { useSessions } from "../../store/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { recentFolders } from "./recent-folders.ts";

type FolderPickerProps = { folder: string | undefined; onChoose: (folder: string) => void };

/** In which folder a session works: one of those used lately, or any by its path. */
export function FolderPicker({ folder, onChoose }: FolderPickerProps) {
  const [open, setOpen] = useState(false);
  const choose = (path: string) => {
    onChoose(path);
    setOpen(false);
  };
  return (
    <>
      <Button
        look="quiet"
        icon={<Folder size={14} />}
        title={folder}
        onClick={() => setOpen(true)}
        className="max-w-80"
      >
        <span className="truncate font-mono text-xs" dir="rtl">
          <bdi>{folder || "Choose a folder"}</bdi>
        </span>
      </Button>
      {open && <FolderDialog folder={folder} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}

function FolderDialog({ folder, onChoose, onClose }: FolderPickerProps & { onClose: () => void }) {
  const sessions = useSessions();
  const recent = useMemo(() => recentFolders(sessions), [sessions]);
  const [path, setPath] = useState(folder ?? "");
  return (
    <Dialog title="Folder" onClose={onClose}>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.startsWith("/")) onChoose(path);
        }}
      >
        <input
          aria-label="Path"
          placeholder="/home/me/project"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          className="h-8 min-w-0 grow rounded-md border border-line bg-surface px-2 font-mono text-xs"
        />
        <Button look="primary" type="submit" className="h-8" disabled={!path.startsWith("/")}>
          Use it
        </Button>
      </form>
      {recent.map((used) => (
        <button
          key={used}
          type="button"
          onClick={() => onChoose(used)}
          className="mt-1 block w-full truncate rounded px-2 py-1 text-left font-mono text-xs text-soft hover:bg-hover"
        >
          {used}
        </button>
      ))}
    </Dialog>
  );
}
