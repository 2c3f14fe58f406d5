import type { ToolKind } from "@gantry/protocol";
import {
  ArrowRightLeft,
  Eye,
  FilePen,
  FileX,
  Globe,
  Lightbulb,
  Search,
  SquareTerminal,
  ToggleLeft,
  Wrench,
} from "lucide-react";
import type { ReactNode } from "react";
import type { ToolRow } from "../../rows/row.ts";

const icons: Record<ToolKind, ReactNode> = {
  read: <Eye size={13} />,
  edit: <FilePen size={13} />,
  delete: <FileX size={13} />,
  move: <ArrowRightLeft size={13} />,
  search: <Search size={13} />,
  execute: <SquareTerminal size={13} />,
  think: <Lightbulb size={13} />,
  fetch: <Globe size={13} />,
  switch_mode: <ToggleLeft size={13} />,
  other: <Wrench size={13} />,
};

export function toolIcon(kind: ToolKind): ReactNode {
  return icons[kind];
}

/** The command that a tool call runs, if any. */
export function commandOf({ tool, input, title }: ToolRow): string | undefined {
  if (tool !== "execute") return undefined;
  const { command, cmd } = (input ?? {}) as { command?: unknown; cmd?: unknown };
  const found = command ?? cmd;
  if (Array.isArray(found)) return found.join(" ");
  return typeof found === "string" ? found : title;
}

/** Makes paths in a text relative to the session's folder. */
export function relativeToFolder(text: string, folder: string | undefined): string {
  return folder && folder.length > 1 ? text.replaceAll(`${folder}/`, "") : text;
}
