import { Folder } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

type FolderPickerProps = { folder: string | undefined; onChoose: (folder: string) => void };

/** In which folder a session works. */
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
        {/* A long path is cut at its beginning: its end tells more. */}
        <span className="truncate font-mono text-xs" dir="rtl">
          <bdi>{folder || "Choose a folder"}</bdi>
        </span>
      </Button>
      {open && <FolderDialog folder={folder} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}
