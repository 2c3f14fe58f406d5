import { useEffect } from "react";
import { useLocation } from "wouter";
import { useCellPart } from "../store/cell.ts";
import { useInbox } from "../store/hooks.ts";
import { sessionCell } from "../store/sessions.ts";
import { nowShowing } from "./notifications/in-view.ts";
import { titleOf } from "./places.tsx";

/** Keeps the document's title and icon true: which view it is, and how much waits. */
export function PageTitle() {
  const [path] = useLocation();
  const waiting = useInbox().length;
  const session = useCellPart(sessionCell(/^\/s\/([^/]+)/.exec(path)?.[1] ?? ""), (view) => view?.title);
  const name = session ?? titleOf(path);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name ? `${name} · ` : ""}Gantry`;
  }, [name, waiting]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = waiting > 0 ? "/icon-waiting.svg" : "/icon.svg";
  }, [waiting]);
  useEffect(() => nowShowing(path), [path]);
  return null;
}
