import { Bot, ChartColumn, Cpu, GitBranch, Inbox, LayoutGrid, Plus, Search, Settings } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Link, useLocation } from "wouter";
import { useCell } from "../store/cell.ts";
import { useInbox, useSessions } from "../store/hooks.ts";
import { isUnread, seen } from "../store/seen.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { StateDot } from "../ui/state-dot.tsx";

const places: { href: string; name: string; icon: ReactNode }[] = [
  { href: "/", name: "Board", icon: <LayoutGrid size={15} /> },
  { href: "/inbox", name: "Inbox", icon: <Inbox size={15} /> },
  { href: "/search", name: "Search", icon: <Search size={15} /> },
  { href: "/agents", name: "Agents", icon: <Bot size={15} /> },
  { href: "/lanes", name: "Lanes", icon: <GitBranch size={15} /> },
  { href: "/models", name: "Models", icon: <Cpu size={15} /> },
  { href: "/usage", name: "Usage", icon: <ChartColumn size={15} /> },
  { href: "/settings", name: "Settings", icon: <Settings size={15} /> },
];

/** The way around: the page's places, and every session that is not archived. */
export function Sidebar() {
  const [here, go] = useLocation();
  const waiting = useInbox().length;
  return (
    <aside className="flex w-60 shrink-0 flex-col border-r border-line bg-page">
      <div className="flex items-center gap-2 px-3 pt-3 pb-2">
        <img src="/icon.svg" alt="" className="size-5" />
        <b className="grow font-semibold tracking-tight">Gantry</b>
        <Button look="plain" label="New session" icon={<Plus size={15} />} onClick={() => go("/new")} />
      </div>
      <nav aria-label="Places" className="flex flex-col px-2 pb-2">
        {places.map(({ href, name, icon }) => (
          <Link
            key={href}
            href={href}
            aria-current={here === href ? "page" : undefined}
            className={classes(
              "flex items-center gap-2 rounded-md px-2 py-1 text-soft hover:bg-hover hover:text-ink",
              here === href && "bg-hover font-medium text-ink",
            )}
          >
            {icon}
            <span className="grow">{name}</span>
            {href === "/inbox" && waiting > 0 && (
              <span className="rounded-full bg-need-fill px-1.5 text-2xs font-semibold text-black">{waiting}</span>
            )}
          </Link>
        ))}
      </nav>
      <SessionLinks here={here} />
    </aside>
  );
}

function SessionLinks({ here }: { here: string }) {
  const sessions = useSessions();
  const marks = useCell(seen);
  const shown = useMemo(() => sessions.filter((session) => !session.archived), [sessions]);
  return (
    <nav aria-label="Sessions" className="min-h-0 grow overflow-y-auto border-t border-line px-2 py-2">
      {shown.map((session) => (
        <Link
          key={session.id}
          href={`/s/${session.id}`}
          aria-label={session.title}
          aria-current={here === `/s/${session.id}` ? "page" : undefined}
          className={classes(
            "flex items-center gap-2 rounded-md px-2 py-1 hover:bg-hover",
            here === `/s/${session.id}` ? "bg-hover text-ink" : "text-soft",
          )}
        >
          <StateDot session={session} />
          <span className={classes("grow truncate", isUnread(session, marks) && "font-semibold text-ink")}>
            {session.title}
          </span>
          <Ago at={session.updatedAt} className="text-2xs text-faint" />
        </Link>
      ))}
    </nav>
  );
}
