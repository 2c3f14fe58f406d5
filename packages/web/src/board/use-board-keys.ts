import { type RefObject, useRef } from "react";
import { useAnswerKeys } from "../inbox/answer-keys.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { archiveSessions } from "../store/sessions/archive.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { clearSelection, selection, toggleSelected } from "./selection.ts";

/** Keyboard control of the board: arrow keys move the focus between cards, and other keys act on the focused card. */
export function useBoardKeys(focusFilter: () => void): RefObject<HTMLDivElement | null> {
  const board = useRef<HTMLDivElement>(null);
  const step = (across: number, down: number) => focusCard(cardFrom(grid(board.current), across, down));
  const archive = () => {
    const focused = focusedId();
    const chosen = selection.get().size > 0 ? [...selection.get()] : focused ? [focused] : [];
    const sessions = chosen.flatMap((id) => sessionCell(id).get() ?? []);
    if (sessions.length === 0) return;
    const next = nextAfter(grid(board.current), focused);
    clearSelection();
    void archiveSessions(sessions, !sessions.every(({ archived }) => archived));
    focusCard(next);
  };
  const select = () => {
    const focused = focusedId();
    if (focused) toggleSelected(focused);
  };
  const keys = (names: string[], does: string, run: () => void) => names.map((name) => ({ keys: name, does, run }));
  useShortcuts([
    ...keys(["j", "down"], "Next card", () => step(0, 1)),
    ...keys(["k", "up"], "Previous card", () => step(0, -1)),
    ...keys(["l", "right"], "Card in the next column", () => step(1, 0)),
    ...keys(["h", "left"], "Card in the previous column", () => step(-1, 0)),
    { keys: "x", does: "Select the session", run: select },
    { keys: "escape", does: "Clear the selection", run: clearSelection },
    { keys: "a", does: "Archive or unarchive the session, or the selected ones", run: archive },
    { keys: "f", does: "Filter the board", run: focusFilter },
  ]);
  // A card of a launch can have several requests: the keys answer that of the focused session.
  useAnswerKeys(() => document.activeElement?.closest("li"));
  return board;
}

function focusedId(): string | undefined {
  return (document.activeElement as HTMLElement | null)?.dataset.card;
}

type Card = HTMLElement | undefined;

/** The cards by column, without empty columns. */
function grid(board: HTMLElement | null): HTMLElement[][] {
  const columns = [...(board?.querySelectorAll<HTMLElement>("[data-column]") ?? [])];
  return columns
    .map((column) => [...column.querySelectorAll<HTMLElement>("[data-card]")])
    .filter((cards) => cards.length);
}

function cardFrom(columns: HTMLElement[][], across: number, down: number): Card {
  const column = columns.findIndex((cards) => cards.includes(document.activeElement as HTMLElement));
  if (column < 0) return columns[0]?.[0];
  const row = columns[column]?.indexOf(document.activeElement as HTMLElement) ?? 0;
  const target = columns[Math.max(0, Math.min(columns.length - 1, column + across))] ?? [];
  return target[Math.max(0, Math.min(target.length - 1, row + down))];
}

function nextAfter(columns: HTMLElement[][], id: string | undefined): Card {
  const cards = columns.find((column) => column.some((card) => card.dataset.card === id)) ?? [];
  const at = cards.findIndex((card) => card.dataset.card === id);
  return cards[at + 1] ?? cards[at - 1];
}

function focusCard(card: Card): void {
  card?.focus();
  card?.closest("article")?.scrollIntoView({ block: "nearest" });
}
