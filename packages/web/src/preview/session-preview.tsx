import { AppWindow } from "lucide-react";
import { lazy, Suspense } from "react";
import { addAttachment, addContext } from "../composer/draft-actions.ts";
import { useCell } from "../store/cell.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { openPreviews, togglePreview } from "./preview-state.ts";

const PreviewPanel = lazy(() => import("./preview-panel.tsx"));

/** Opens and closes the preview of a session. */
export function PreviewButton({ session }: { session: string }) {
  const open = useCell(openPreviews).includes(session);
  return (
    <Button
      look={open ? "plain" : "quiet"}
      label="Preview"
      aria-pressed={open}
      icon={<AppWindow size={16} />}
      onClick={() => togglePreview(session)}
    />
  );
}

/** The preview panel of a session, if it is open. Picked elements and screenshots are added to the draft. */
export function SessionPreview({ session }: { session: string }) {
  if (!useCell(openPreviews).includes(session)) return null;
  return (
    <Suspense fallback={null}>
      <PreviewPanel
        session={session}
        onPick={(context) => addContext(session, context)}
        onAttach={(image) => void addAttachment(session, image).catch(toastError)}
      />
    </Suspense>
  );
}
