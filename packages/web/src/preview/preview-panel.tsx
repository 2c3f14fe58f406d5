import { X } from "lucide-react";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { ResizeHandle } from "../ui/controls/resize-handle.tsx";
import { previewLayout, togglePreview } from "./preview-state.ts";
import { PreviewView, type PreviewViewProps } from "./preview-view.tsx";
import { TargetForm } from "./target-form.tsx";
import { usePreview } from "./use-preview.ts";

type PreviewPanelProps = Pick<PreviewViewProps, "onPick" | "onAttach"> & { session: string };

/**
 * Shows a session's dev server next to its transcript. `onPick` receives context for the next message, `onAttach`
 * receives screenshots.
 */
export default function PreviewPanel({ session, onPick, onAttach }: PreviewPanelProps) {
  const { width } = useCell(previewLayout);
  const { preview, opening, end } = usePreview(session);
  return (
    <>
      <ResizeHandle
        label="Preview width"
        edge="left"
        size={width}
        min={320}
        reserved={480}
        onResize={(to) => previewLayout.update((layout) => ({ ...layout, width: to }))}
      />
      <aside aria-label="Preview" style={{ width }} className="flex min-h-0 max-w-[75vw] shrink-0 flex-col bg-surface">
        <header className="flex items-center gap-2 border-b border-line px-3 py-1">
          <h2 className="grow truncate text-xs font-semibold text-soft">
            {preview ? preview.target.replace(/^http:\/\//, "") : "Preview"}
          </h2>
          <Button
            look="quiet"
            label="Close preview"
            icon={<X size={15} />}
            onClick={() => togglePreview(session, false)}
          />
        </header>
        {preview && (
          <PreviewView key={preview.origin} preview={preview} onPick={onPick} onAttach={onAttach} onEnd={end} />
        )}
        {opening && <p className="m-auto text-faint">Opening the preview…</p>}
        {!preview && !opening && <TargetForm session={session} />}
      </aside>
    </>
  );
}
