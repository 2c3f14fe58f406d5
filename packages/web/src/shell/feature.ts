import type { AgentRow, SessionView } from "@gantry/protocol";
import type { ComponentType, ReactNode } from "react";

/** What a feature folder adds to the page. `features.ts` lists every feature. */
export type Feature = {
  routes?: readonly FeatureRoute[];
  /** Its entry in the sidebar, the palette and the keyboard shortcuts. */
  navigation?: NavigationItem;
  /** Actions for the command palette. */
  commands?: readonly Command[];
  /** Actions for the command palette while a session is open. `row` is the session's agent. */
  sessionCommands?: (session: SessionView, row: AgentRow | undefined) => Command[];
};

/** A route of the page. `view` receives the `:id` of the path, if the path has one, and is remounted when it changes. */
export type FeatureRoute = {
  path: string;
  title?: string;
  view: ComponentType<{ id: string }>;
  /** The view stays mounted while this stays the same. Default: the id. */
  keyOf?: (id: string) => string;
};

export type NavigationItem = {
  href: string;
  name: string;
  icon: ReactNode;
  keys: string;
  /** A hook that counts what needs attention; shown as a badge. */
  useCount?: () => number;
  /** Replaces the link while the view is closed and the sidebar is expanded. */
  field?: ComponentType;
};

/** `run` is an action, or the path to navigate to. `keys` is the shortcut that does the same. */
export type Command = { name: string; hint?: string; keys?: string; run: (() => void) | string };

/** The document title of a path; the board has none. */
export function titleOf(features: readonly Feature[], path: string): string | undefined {
  const routes = features.flatMap((feature) => feature.routes ?? []);
  return routes.find((route) => route.path === path)?.title;
}
