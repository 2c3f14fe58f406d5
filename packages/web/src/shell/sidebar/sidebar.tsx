import { PanelLeft, Plus } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { ProjectSwitcher } from "../../projects/project-switcher.tsx";
import { useCell, useCellPart } from "../../store/cell.ts";
import { preferences } from "../../store/preferences.ts";
import { useSessions } from "../../store/sessions/hooks.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { NavigationItem } from "../feature.ts";
import { closeOverlay, overlay, toggleOverlay, toggleSidebar } from "../overlays.ts";
import { SessionList } from "./session-list.tsx";

type SidebarProps = { navigation: readonly NavigationItem[] };

const NARROW = matchMedia("(max-width: 799px)");

/** Links to the views and to every session that is not archived. */
export function Sidebar({ navigation }: SidebarProps) {
  const narrow = useNarrow();
  const expanded = useCellPart(preferences, (all) => all.sidebar);
  if (narrow) return <NarrowSidebar navigation={navigation} />;
  return (
    <aside className={classes("flex shrink-0 flex-col border-r border-line bg-page", expanded ? "w-60" : "w-12")}>
      <Contents navigation={navigation} rail={!expanded} onHide={toggleSidebar} />
    </aside>
  );
}

/** True when the window is too narrow for a sidebar next to the view. */
function useNarrow(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => NARROW.matches);
}

function subscribeToWidth(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

/** On a narrow screen: a bar at the top, and the sidebar as a drawer over the view. */
function NarrowSidebar({ navigation }: SidebarProps) {
  const open = useCell(overlay) === "drawer";
  const [here] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: any navigation closes the drawer.
  useEffect(() => {
    if (overlay.get() === "drawer") closeOverlay();
  }, [here]);
  return (
    <>
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-page px-2">
        <Button look="quiet" label="Menu" icon={<PanelLeft size={16} />} onClick={() => toggleOverlay("drawer")} />
        <b className="grow font-semibold tracking-tight">Gantry</b>
        {navigation.map(
          (item) => item.useCount && <PendingLink key={item.href} href={item.href} useCount={item.useCount} />,
        )}
        {!open && <NewSession />}
      </header>
      {open && <Drawer navigation={navigation} />}
    </>
  );
}

function Drawer({ navigation }: SidebarProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a native dialog on Escape.
    <dialog
      ref={ref}
      aria-label="Menu"
      onClose={closeOverlay}
      onClick={(event) => event.target === ref.current && closeOverlay()}
      className="m-0 h-full max-h-full w-72 max-w-[85vw] border-r border-line bg-page p-0 text-ink shadow-raised backdrop:bg-black/40"
    >
      <div className="flex h-full flex-col">
        <Contents navigation={navigation} rail={false} onHide={closeOverlay} />
      </div>
    </dialog>
  );
}

type ContentsProps = SidebarProps & { rail: boolean; onHide: () => void };

function Contents({ navigation, rail, onHide }: ContentsProps) {
  const [here] = useLocation();
  const sessions = useSessions();
  return (
    <>
      <div className={classes("flex items-center gap-1 px-2 pt-2.5 pb-2", rail && "flex-col")}>
        {!rail && <img src="/icon.svg" alt="" className="mr-1 ml-1 size-5" />}
        {!rail && <b className="grow font-semibold tracking-tight">Gantry</b>}
        <Button
          look="quiet"
          label={rail ? "Show the sidebar" : "Hide the sidebar"}
          icon={<PanelLeft size={15} />}
          onClick={onHide}
        />
        <NewSession />
      </div>
      <nav aria-label="Views" className="flex flex-col gap-px px-2 pb-2">
        {navigation.map((item) => {
          const { href, field: Field } = item;
          if (Field && here !== href && !rail) return <Field key={href} />;
          return <ViewLink key={href} item={item} here={here === href} rail={rail} />;
        })}
      </nav>
      {!rail && <ProjectSwitcher sessions={sessions} />}
      {!rail && <SessionList here={here} />}
    </>
  );
}

function NewSession() {
  const [, go] = useLocation();
  return <Button look="plain" label="New session" icon={<Plus size={15} />} onClick={() => go("/new")} />;
}

function ViewLink({ item, here, rail }: { item: NavigationItem; here: boolean; rail: boolean }) {
  const { href, name, icon, useCount } = item;
  return (
    <Link
      href={href}
      aria-current={here ? "page" : undefined}
      aria-label={rail ? name : undefined}
      title={rail ? name : undefined}
      className={classes(
        "relative flex h-7 items-center gap-2 rounded-md px-2 text-soft hover:bg-hover hover:text-ink",
        here && "bg-hover font-medium text-ink",
      )}
    >
      {icon}
      {!rail && <span className="grow">{name}</span>}
      {useCount && <Count useCount={useCount} rail={rail} />}
    </Link>
  );
}

type UseCount = NonNullable<NavigationItem["useCount"]>;

function Count({ useCount, rail }: { useCount: UseCount; rail: boolean }) {
  const count = useCount();
  if (count === 0) return null;
  if (rail) return <span className="absolute top-1 right-1 size-2 rounded-full bg-need-fill" />;
  return <span className="rounded-full bg-need-fill px-1.5 text-2xs font-semibold text-black">{count}</span>;
}

function PendingLink({ href, useCount }: { href: string; useCount: UseCount }) {
  const count = useCount();
  if (count === 0) return null;
  return (
    <Link href={href} className="flex min-h-10 items-center">
      <span className="rounded-full bg-need-fill px-2 text-xs font-semibold text-black">{count} pending</span>
    </Link>
  );
}
