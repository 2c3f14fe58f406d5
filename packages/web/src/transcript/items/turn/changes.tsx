import type { FileChange } from "@gantry/protocol";
import { useMemo } from "react";
import { useSession } from "../../../store/sessions/hooks.ts";
import { lazyView } from "../../../ui/load/lazy-view.tsx";
import { useTranscript } from "../../view/context.ts";
import { relativeToFolder } from "../tool/tool-icon.tsx";

const DiffView = lazyView(async () => ({ default: (await import("../../../diff/diff-view.tsx")).DiffView }));

/** File changes, with paths relative to the session's folder. */
export function Changes({ changes }: { changes: readonly FileChange[] }) {
  const { session } = useTranscript();
  const folder = useSession(session)?.cwd;
  const relative = useMemo(
    () => changes.map((change) => ({ ...change, path: relativeToFolder(change.path, folder) })),
    [changes, folder],
  );
  return <DiffView changes={relative} />;
}
