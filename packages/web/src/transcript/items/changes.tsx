import type { FileChange } from "@gantry/protocol";
import { useMemo } from "react";
import { useSession } from "../../store/hooks.ts";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import { useTranscript } from "../view/context.ts";
import { withinFolder } from "./tool-words.tsx";

const DiffView = lazyView(async () => ({ default: (await import("../../diff/diff-view.tsx")).DiffView }));

/** What changed in files, each named as it is inside of the session's folder. */
export function Changes({ changes }: { changes: readonly FileChange[] }) {
  const { session } = useTranscript();
  const folder = useSession(session)?.cwd;
  const named = useMemo(
    () => changes.map((change) => ({ ...change, path: withinFolder(change.path, folder) })),
    [changes, folder],
  );
  return <DiffView changes={named} />;
}
