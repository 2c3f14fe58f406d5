import { Bot, ChartColumn, Cpu, GitBranch, Inbox, LayoutGrid, Search, Settings, UserRound } from "lucide-react";
import type { ReactNode } from "react";

export type Place = { href: string; name: string; icon: ReactNode; keys: string };

/** Where one can go, in the order of the sidebar. */
export const places: readonly Place[] = [
  { href: "/", name: "Board", icon: <LayoutGrid size={15} />, keys: "g b" },
  { href: "/inbox", name: "Inbox", icon: <Inbox size={15} />, keys: "g i" },
  { href: "/search", name: "Search", icon: <Search size={15} />, keys: "/" },
  { href: "/agents", name: "Agents", icon: <Bot size={15} />, keys: "g a" },
  { href: "/identities", name: "Identities", icon: <UserRound size={15} />, keys: "g d" },
  { href: "/lanes", name: "Lanes", icon: <GitBranch size={15} />, keys: "g l" },
  { href: "/models", name: "Models", icon: <Cpu size={15} />, keys: "g m" },
  { href: "/usage", name: "Usage", icon: <ChartColumn size={15} />, keys: "g u" },
  { href: "/settings", name: "Settings", icon: <Settings size={15} />, keys: "g s" },
];

/** What the view at a path is called; the board is the page itself and has no name of its own. */
export function titleOf(path: string): string | undefined {
  const apart = { "/new": "New session", "/launch": "Launch", "/import": "Import", "/compare": "Compare" }[path];
  if (apart) return apart;
  return path === "/" ? undefined : places.find((place) => place.href === path)?.name;
}
