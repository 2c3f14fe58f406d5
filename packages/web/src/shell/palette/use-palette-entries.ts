import { useMemo } from "react";
import { useLocation } from "wouter";
import { agentName, agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { projects } from "../../store/projects.ts";
import { useSession, useSessions } from "../../store/sessions/hooks.ts";
import { openSessions } from "../../store/sessions/open-sessions.ts";
import type { Command, Feature } from "../feature.ts";
import { overlay, toggleSidebar } from "../overlays.ts";
import type { Entry } from "./find-entries.ts";

const shellCommands: readonly Command[] = [
  { name: "Keyboard shortcuts", keys: "?", run: () => overlay.set("shortcuts") },
  { name: "Show or hide the sidebar", keys: "mod+b", run: toggleSidebar },
];

/**
 * Everything the palette can do here: other sessions and views first, so that Enter in an empty palette changes nothing,
 * then actions on the open session and others.
 */
export function usePaletteEntries(features: readonly Feature[]): Entry[] {
  const [here, go] = useLocation();
  const sessions = useSessions();
  const rows = useCell(agents);
  const allProjects = useCell(projects);
  const open = useSession(openSessions(here)[0] ?? "");
  return useMemo(() => {
    const row = rows.find(({ id }) => id === open?.agent);
    const entry = (group: Entry["group"], { name, hint, keys, run }: Command): Entry => ({
      id: `${group} ${name}`,
      group,
      name,
      hint,
      keys,
      run: typeof run === "string" ? () => go(run) : run,
    });
    const openCommands = open ? features.flatMap((feature) => feature.sessionCommands?.(open, row) ?? []) : [];
    const others = sessions.filter((session) => session.id !== open?.id);
    const views = features.flatMap(({ navigation }) => (navigation ? [navigation] : []));
    const commands = [...features.flatMap((feature) => feature.commands ?? []), ...shellCommands];
    return [
      ...others.map(
        (session): Entry => ({
          id: session.id,
          group: "Sessions",
          name: session.title,
          hint: `${agentName(rows, session.agent)} · ${session.cwd}${session.archived ? " · archived" : ""}`,
          run: () => go(`/s/${session.id}`),
        }),
      ),
      ...allProjects.map(({ id, name, root }) => entry("Projects", { name, hint: root, run: `/p/${id}` })),
      ...views.map(({ name, href, keys }) => entry("Go to", { name, keys, run: href })),
      ...openCommands.map((command) => entry("This session", command)),
      ...commands.map((command) => entry("Actions", command)),
    ];
  }, [features, sessions, rows, open, allProjects, go]);
}
