import type { ExportFormat, SessionView } from "@gantry/protocol";
import { Download } from "lucide-react";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { saveAnswer } from "../store/sessions/session-file.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";

const formats: { format: ExportFormat; name: string; about: string }[] = [
  {
    format: "gantry",
    name: "Gantry archive",
    about: "All events, files and diffs, to import into another Gantry",
  },
  { format: "html", name: "Web page", about: "One HTML file without scripts" },
  { format: "md", name: "Markdown", about: "For issues and reviews" },
  { format: "jsonl", name: "Events", about: "One JSON object per line, for programs" },
];

/** Exports a session to a file. */
export function ExportDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>("html");
  const [redact, setRedact] = useState(false);
  const [saving, setSaving] = useState(false);
  const save = () => {
    setSaving(true);
    client.imports
      .exported(session.id, format, redact)
      .then((answer) => saveAnswer(answer, `${session.id}.${format}`))
      .then(onClose, (error: unknown) => {
        setSaving(false);
        toastError(error);
      });
  };
  return (
    <Dialog
      title="Export session"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon={<Download size={14} aria-hidden="true" />} disabled={saving} onClick={save}>
            Export
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-1.5">
        <legend className="sr-only">Format</legend>
        {formats.map((choice) => (
          <label
            key={choice.format}
            className="flex cursor-pointer items-baseline gap-2.5 rounded-md border border-line px-3 py-1.5 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="format"
              checked={choice.format === format}
              onChange={() => setFormat(choice.format)}
              className="sr-only"
            />
            <span className="w-40 shrink-0 font-medium">{choice.name}</span>
            <span className="text-soft">{choice.about}</span>
          </label>
        ))}
      </fieldset>
      <div className="mt-3">
        <Checkbox checked={redact} onChange={setRedact}>
          Shorten home folder paths and mask likely secrets
        </Checkbox>
      </div>
    </Dialog>
  );
}
