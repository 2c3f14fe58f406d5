import { useEffect } from "react";
import { useLocation } from "wouter";
import { useCellPart } from "../store/cell.ts";
import { useInbox } from "../store/sessions/hooks.ts";
import { openSessions } from "../store/sessions/open-sessions.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { type Feature, titleOf } from "./feature.ts";
import { announceView } from "./notifications/in-view.ts";

/** Keeps the document's title and icon up to date: the open view and the number of pending inputs. */
export function PageTitle({ features }: { features: readonly Feature[] }) {
  const [path] = useLocation();
  const waiting = useInbox().length;
  const [first = "", ...others] = openSessions(path);
  const title = useCellPart(sessionCell(first), (view) => view?.title);
  const session = title && others.length > 0 ? `${title} + ${others.length}` : title;
  const name = session ?? titleOf(features, path);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name ? `${name} · ` : ""}Gantry`;
  }, [name, waiting]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const path = waiting > 0 ? "/icon-waiting.svg" : "/icon.svg";
    // Setting it again would fetch it again.
    if (icon?.getAttribute("href") !== path) icon?.setAttribute("href", path);
  }, [waiting]);
  useEffect(() => announceView(path), [path]);
  return null;
}
