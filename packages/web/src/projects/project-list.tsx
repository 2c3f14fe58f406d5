import type { Project } from "@gantry/protocol";
import { FolderGit2, Pin, PinOff, Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { FolderDialog } from "../composer/choices/folder-dialog.tsx";
import { client } from "../store/connection/client.ts";
import { changeProject, loadProjects, useProjects } from "../store/projects.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { View } from "../ui/layout/view.tsx";
import { PathText } from "../ui/text/path-text.tsx";
import { ProjectDot } from "./project-dot.tsx";

/** Every project: open its board, pin it, change it. */
export default function ProjectList() {
  const all = useProjects(useSessions());
  return (
    <View title="Projects" actions={<AddProject />}>
      {all.length === 0 ? (
        <Empty title="No projects yet" icon={<FolderGit2 size={28} strokeWidth={1.5} />}>
          <p>A repository becomes a project with its first session. Other folders can be added.</p>
        </Empty>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {all.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </ul>
      )}
    </View>
  );
}

function AddProject() {
  const [isOpen, setOpen] = useState(false);
  const [, go] = useLocation();
  const add = async (path: string) => {
    setOpen(false);
    try {
      const { id } = await client.projects.add({ path });
      await loadProjects();
      go(`/projects/${id}`);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      <Button icon={<Plus size={14} />} onClick={() => setOpen(true)}>
        Add project
      </Button>
      {isOpen && <FolderDialog folder={undefined} onChoose={(path) => void add(path)} onClose={() => setOpen(false)} />}
    </>
  );
}

function ProjectRow({ project }: { project: Project }) {
  const { id, name, root, color, sessions, usedAt } = project;
  return (
    <li aria-label={name} className="flex items-center gap-3 py-1.5 pr-2 pl-3">
      <ProjectDot color={color} />
      <Link href={`/p/${id}`} className="min-w-0 grow rounded hover:underline">
        <span className="block truncate font-medium">{name}</span>
        <PathText path={root} className="block truncate text-xs text-faint" />
      </Link>
      <span className="shrink-0 text-right text-xs text-faint tabular-nums">
        <span className="block">
          {sessions} {sessions === 1 ? "session" : "sessions"}
        </span>
        {usedAt && <Ago at={usedAt} className="block" />}
      </span>
      <PinButton project={project} />
      <Link
        href={`/projects/${id}`}
        aria-label={`Settings of ${name}`}
        title={`Settings of ${name}`}
        className="flex size-7 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Settings2 size={15} aria-hidden="true" />
      </Link>
    </li>
  );
}

type PinButtonProps = { project: Project; onChanged?: () => void };

export function PinButton({ project: { id, name, pinned }, onChanged }: PinButtonProps) {
  return (
    <Button
      look="quiet"
      label={pinned ? `Unpin ${name}` : `Pin ${name}`}
      aria-pressed={pinned}
      icon={pinned ? <PinOff size={15} /> : <Pin size={15} />}
      onClick={() => void changeProject(id, { pinned: !pinned }).then(onChanged)}
    />
  );
}
