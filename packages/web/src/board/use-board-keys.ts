import { type RefObject, useRef } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { sessionCell } from "../store/sessions/sessions.ts";

/** Keyboard control of the board: arrow keys move the focus between cards, and other keys act on the focused card. */
export function useBoardKeys(focusFilter: () => void): RefObject<HTMLDivElement | null> {
  const board = useRef<HTMLDivElement>(null);
  const step = (across: number, down: number) => focusCard(cardFrom(grid(board.current), across, down));
  const archive = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.card;
    const session = focused ? sessionCell(focused).get() : undefined;
    if (!session) return;
    const next = nextAfter(grid(board.current), focused);
    void archiveSession(session, !session.archived);
    focusCard(next);
  };
  const keys = (names: string[], does: string, run: () => void) => names.map((name) => ({ keys: name, does, run }));
  useShortcuts([
    ...keys(["j", "down"], "Next card", () => step(0, 1)),
    ...keys(["k", "up"], "Previous card", () => step(0, -1)),
    ...keys(["l", "right"], "Card in the next column", () => step(1, 0)),
    ...keys(["h", "left"], "Card in the previous column", () => step(-1, 0)),
    { keys: "a", does: "Archive or unarchive the session", run: archive },
    { keys: "f", does: "Filter the board", run: focusFilter },
  ]);
  return board;
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
