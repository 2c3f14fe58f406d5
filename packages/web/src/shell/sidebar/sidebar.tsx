import { PanelLeft, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useCell, useCellPart } from "../../store/cell.ts";
import { useInbox } from "../../store/hooks.ts";
import { preferences } from "../../store/preferences.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { closeOverlay, overlay, toggleOverlay, toggleSidebar } from "../overlays.ts";
import { type Place, places } from "../places.tsx";
import { SearchField } from "./search-field.tsx";
import { SessionList } from "./session-list.tsx";
import { useNarrow } from "./use-narrow.ts";

/** The way around: the page's places, and every session that is not archived. */
export function Sidebar() {
  const narrow = useNarrow();
  const wanted = useCellPart(preferences, (all) => all.sidebar);
  if (narrow) return <NarrowSidebar />;
  return (
    <aside className={classes("flex shrink-0 flex-col border-r border-line bg-page", wanted ? "w-60" : "w-12")}>
      <Contents rail={!wanted} onHide={toggleSidebar} />
    </aside>
  );
}

/** On a narrow screen: a bar at the top, and the sidebar over the view when it is asked for. */
function NarrowSidebar() {
  const open = useCell(overlay) === "drawer";
  const [here] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: wherever one goes, the drawer has done its work.
  useEffect(() => {
    if (overlay.get() === "drawer") closeOverlay();
  }, [here]);
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-page px-2">
        <Button look="quiet" label="Menu" icon={<PanelLeft size={16} />} onClick={() => toggleOverlay("drawer")} />
        <b className="grow font-semibold tracking-tight">Gantry</b>
        <WaitingLink />
        {!open && <NewSession />}
      </div>
      {open && <Drawer />}
    </>
  );
}

function Drawer() {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog by itself.
    <dialog
      ref={ref}
      aria-label="Menu"
      onClose={closeOverlay}
      onClick={(event) => event.target === ref.current && closeOverlay()}
      className="m-0 h-full max-h-full w-72 max-w-[85vw] border-r border-line bg-page p-0 text-ink shadow-raised backdrop:bg-black/40"
    >
      <div className="flex h-full flex-col">
        <Contents rail={false} onHide={closeOverlay} />
      </div>
    </dialog>
  );
}

function Contents({ rail, onHide }: { rail: boolean; onHide: () => void }) {
  const [here] = useLocation();
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
      <nav aria-label="Places" className="flex flex-col gap-px px-2 pb-2">
        {places.map((place) =>
          place.href === "/search" && here !== "/search" && !rail ? (
            <SearchField key={place.href} />
          ) : (
            <PlaceLink key={place.href} place={place} here={here === place.href} rail={rail} />
          ),
        )}
      </nav>
      {!rail && <SessionList here={here} />}
    </>
  );
}

function NewSession() {
  const [, go] = useLocation();
  return <Button look="plain" label="New session" icon={<Plus size={15} />} onClick={() => go("/new")} />;
}

function PlaceLink({ place, here, rail }: { place: Place; here: boolean; rail: boolean }) {
  const { href, name, icon } = place;
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
      {href === "/inbox" && <Waiting rail={rail} />}
    </Link>
  );
}

function Waiting({ rail }: { rail: boolean }) {
  const waiting = useInbox().length;
  if (waiting === 0) return null;
  if (rail) return <span className="absolute top-1 right-1 size-2 rounded-full bg-need-fill" />;
  return <span className="rounded-full bg-need-fill px-1.5 text-2xs font-semibold text-black">{waiting}</span>;
}

function WaitingLink() {
  const waiting = useInbox().length;
  if (waiting === 0) return null;
  return (
    <Link href="/inbox" className="rounded-full bg-need-fill px-2 text-xs font-semibold text-black">
      {waiting} waiting
    </Link>
  );
}
