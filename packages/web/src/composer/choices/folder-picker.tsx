import { Folder } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

type FolderPickerProps = { folder: string | undefined; onChoose: (folder: string) => void };

/** A button that shows the session's folder and opens the folder dialog. */
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
        {/* A long path is truncated at its start, because its end is more specific. */}
        <span className="truncate font-mono text-xs" dir="rtl">
          <bdi>{folder || "Choose a folder"}</bdi>
        </span>
      </Button>
      {open && <FolderDialog folder={folder} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}
