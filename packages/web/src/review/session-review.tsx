import { openComments, type SessionView } from "@gantry/protocol";
import { FileDiff } from "lucide-react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { openReviews, toggleReview } from "./panel-state.ts";

const ReviewPanel = lazyView(() => import("./review-panel.tsx"));

/** Opens and closes the review panel. Shows how many comments wait for the next message. */
export function ReviewButton({ session }: { session: SessionView }) {
  const open = useCell(openReviews).includes(session.id);
  const count = openComments(session).length;
  useShortcuts([
    { keys: "mod+.", does: "Show or hide the changes", run: () => toggleReview(session.id), whileTyping: true },
  ]);
  return (
    <Button
      look={open ? "plain" : "quiet"}
      label={count === 0 ? "Changes" : undefined}
      title="Changes"
      aria-pressed={open}
      icon={<FileDiff size={16} />}
      onClick={() => toggleReview(session.id)}
    >
      {count > 0 && (
        <>
          <span className="sr-only">Changes: </span>
          <span className="text-xs text-accent tabular-nums">{count}</span>
          <span className="sr-only"> open {count === 1 ? "comment" : "comments"}</span>
        </>
      )}
    </Button>
  );
}

/** The review panel of a session, if it is open. */
export function SessionReview({ session }: { session: SessionView }) {
  if (!useCell(openReviews).includes(session.id)) return null;
  return <ReviewPanel key={session.id} session={session} onClose={() => toggleReview(session.id, false)} />;
}
