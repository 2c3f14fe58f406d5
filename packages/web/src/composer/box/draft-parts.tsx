import { FileText, SquareDashedMousePointer, X } from "lucide-react";
import type { ReactNode } from "react";
import { useCell } from "../../store/cell.ts";
import { type DraftFile, draftOf, setDraftContexts, setDraftFiles } from "../../store/outgoing/drafts.ts";
import { formatBytes } from "../../ui/display/format.ts";

/** The files and contexts of the draft, each with a remove button. */
export function DraftParts({ draft }: { draft: string }) {
  const { contexts } = useCell(draftOf(draft).body);
  const files = useCell(draftOf(draft).files);
  if (contexts.length === 0 && files.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-1.5 px-2.5 pt-2.5">
      {contexts.map(({ id, title, text }) => (
        <Part
          key={id}
          name={title}
          title={text}
          icon={<SquareDashedMousePointer size={14} />}
          onRemove={() =>
            setDraftContexts(
              draft,
              contexts.filter((other) => other.id !== id),
            )
          }
        />
      ))}
      {files.map((file) => (
        <Part
          key={file.id}
          name={file.attachment.name ?? file.attachment.path ?? "file"}
          detail={file.size > 0 ? formatBytes(file.size) : undefined}
          icon={<Thumbnail file={file} />}
          onRemove={() =>
            setDraftFiles(
              draft,
              files.filter((other) => other.id !== file.id),
            )
          }
        />
      ))}
    </ul>
  );
}

type PartProps = { name: string; detail?: string; title?: string; icon: ReactNode; onRemove: () => void };

function Part({ name, detail, title, icon, onRemove }: PartProps) {
  return (
    <li
      title={title}
      className="flex h-9 items-center gap-2 rounded-md border border-line bg-sunken pr-1 pl-1.5 text-xs"
    >
      <span className="grid size-6 shrink-0 place-items-center overflow-hidden rounded text-faint">{icon}</span>
      <span className="max-w-48 truncate text-ink">{name}</span>
      {detail && <span className="shrink-0 text-faint">{detail}</span>}
      <button
        type="button"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
      >
        <X size={13} />
      </button>
    </li>
  );
}

function Thumbnail({ file: { attachment } }: { file: DraftFile }) {
  const { mime = "", data } = attachment;
  // SVG may contain scripts: show only raster images.
  if (!data || !/^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(mime)) return <FileText size={14} />;
  return <img src={`data:${mime};base64,${data}`} alt="" className="size-6 object-cover" />;
}
