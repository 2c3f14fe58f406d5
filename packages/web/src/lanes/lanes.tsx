import { GitBranch } from "lucide-react";
import { useMemo } from "react";
import { useSessions } from "../store/hooks.ts";
import { Ago } from "../ui/ago.tsx";
import { Badge } from "../ui/badge.tsx";
import { Empty } from "../ui/empty.tsx";
import { SessionLink } from "../ui/session-link.tsx";
import { StateDot } from "../ui/state-dot.tsx";
import { View } from "../ui/view.tsx";
import { type WorkFolder, workFolders } from "./folders.ts";

/** Where the sessions work, and which of them share a folder. */
export default function Lanes() {
  const sessions = useSessions();
  const folders = useMemo(() => workFolders(sessions), [sessions]);
  return (
    <View title="Lanes">
      {folders.length === 0 && (
        <Empty title="No folder is being worked in" icon={<GitBranch size={28} strokeWidth={1.5} />}>
          <p>
            Every session works in a folder. Sessions that share one are listed together, so that none steps on another.
          </p>
        </Empty>
      )}
      <div className="flex flex-col gap-6">
        {folders.map((folder) => (
          <Folder key={folder.path} folder={folder} />
        ))}
      </div>
    </View>
  );
}

function Folder({ folder }: { folder: WorkFolder }) {
  const writing = folder.sessions.filter((session) => session.turn).length;
  return (
    <section aria-label={folder.path}>
      <h2 className="flex items-center gap-2 pb-1.5">
        <span className="font-semibold">{folder.lane ?? folder.path.split("/").at(-1)}</span>
        <code className="min-w-0 truncate font-mono text-xs text-faint">{folder.path}</code>
        {writing > 1 && <Badge tone="need">{writing} agents at work in the same files</Badge>}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {folder.sessions.map((session) => (
          <li key={session.id} className="flex items-center gap-2.5 px-3 py-1.5">
            <StateDot session={session} />
            <SessionLink id={session.id} className="min-w-0 grow truncate hover:underline">
              {session.title}
            </SessionLink>
            <Ago at={session.updatedAt} className="text-xs text-faint" />
          </li>
        ))}
      </ul>
    </section>
  );
}
