import { FolderPlus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

type ExtraFoldersProps = {
  folders: readonly string[];
  onChange: (folders: string[]) => void;
};

/** The session's further folders: each can be removed, and a button adds one. */
export function ExtraFolders({ folders, onChange }: ExtraFoldersProps) {
  const [open, setOpen] = useState(false);
  const add = (path: string) => {
    onChange([...new Set([...folders, path])]);
    setOpen(false);
  };
  return (
    <>
      {folders.length > 0 && (
        <ul aria-label="Further folders" className="flex min-w-0 flex-wrap gap-1">
          {folders.map((folder) => (
            <li key={folder} className="flex min-w-0 items-center gap-1 rounded-md border border-line pl-2">
              <span className="max-w-64 truncate font-mono text-xs" dir="rtl" title={folder}>
                <bdi>{folder}</bdi>
              </span>
              <Button
                look="quiet"
                icon={<X size={12} />}
                label={`Remove ${folder}`}
                onClick={() => onChange(folders.filter((other) => other !== folder))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button look="quiet" icon={<FolderPlus size={14} />} onClick={() => setOpen(true)}>
        Add folder
      </Button>
      {open && <FolderDialog folder={undefined} onChoose={add} onClose={() => setOpen(false)} />}
    </>
  );
}
