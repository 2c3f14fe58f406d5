import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useId } from "react";
import { addAttachment, addContext } from "../composer/draft-actions.ts";
import type { PanelViewProps } from "../panel/panel-tab.ts";
import { useCellPart } from "../store/cell.ts";
import { toastError } from "../store/toasts.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { choosePreview, NO_TABS, previewTabs } from "./preview-state.ts";
import { PreviewView } from "./preview-view.tsx";
import { TargetForm } from "./target-form.tsx";
import { usePreview } from "./use-preview.ts";

/** The dev servers of a session in tabs. All of them stay loaded; one is shown. */
export default function SessionPreviews({ session: { id } }: PanelViewProps) {
  const { targets, shown } = useCellPart(previewTabs, (tabs) => tabs[id] ?? NO_TABS);
  const base = useId();
  return (
    <>
      {targets.length > 0 && (
        <div className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-0.5">
          <TargetTabs base={base} targets={targets} shown={shown} onChoose={(target) => choosePreview(id, target)} />
          <Button
            look={shown === undefined ? "plain" : "quiet"}
            label="New preview"
            icon={<Plus size={15} />}
            onClick={() => choosePreview(id, undefined)}
          />
        </div>
      )}
      {targets.map((target, index) => (
        <div
          key={new URL(target).origin}
          role="tabpanel"
          id={`${base}-${index}-panel`}
          aria-labelledby={`${base}-${index}`}
          hidden={target !== shown}
          className={classes("min-h-0 grow flex-col", target === shown ? "flex" : "hidden")}
        >
          <TargetPreview session={id} target={target} isShown={target === shown} />
        </div>
      ))}
      {shown === undefined && <TargetForm session={id} />}
    </>
  );
}

type TargetTabsProps = {
  base: string;
  targets: readonly string[];
  shown: string | undefined;
  onChoose: (target: string) => void;
};

function TargetTabs({ base, targets, shown, onChoose }: TargetTabsProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = (targets.indexOf(shown ?? "") + (step ?? 0) + targets.length) % targets.length;
    const next = step && targets[at];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`${base}-${at}`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label="Previews"
      onKeyDown={onKeyDown}
      className="flex min-w-0 grow gap-0.5 overflow-x-auto [scrollbar-width:none]"
    >
      {targets.map((target, index) => (
        <button
          key={target}
          id={`${base}-${index}`}
          type="button"
          role="tab"
          aria-selected={target === shown}
          aria-controls={`${base}-${index}-panel`}
          tabIndex={target === shown || (shown === undefined && index === 0) ? 0 : -1}
          title={target}
          onClick={() => onChoose(target)}
          className={classes(
            "h-7 max-w-48 truncate rounded-md px-2 text-xs pointer-coarse:min-h-11",
            target === shown ? "bg-hover font-medium text-ink" : "text-soft hover:text-ink",
          )}
        >
          {new URL(target).host}
        </button>
      ))}
    </div>
  );
}

type TargetPreviewProps = { session: string; target: string; isShown: boolean };

function TargetPreview({ session, target, isShown }: TargetPreviewProps) {
  const { preview, end } = usePreview(session, target);
  if (!preview)
    return (
      <div className="m-auto flex flex-col items-center gap-2 text-faint">
        <p>Opening the preview…</p>
        <Button look="quiet" icon={<X size={14} />} onClick={end}>
          Cancel
        </Button>
      </div>
    );
  return (
    <PreviewView
      key={`${preview.origin} ${target}`}
      session={session}
      preview={preview}
      isShown={isShown}
      onPick={(context) => addContext(session, context)}
      onAttach={(image) => void addAttachment(session, image).catch(toastError)}
      onEnd={end}
    />
  );
}
