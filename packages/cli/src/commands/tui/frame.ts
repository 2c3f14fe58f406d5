import { groupNames, type SessionGroup, sessionGroups } from "@gantry/protocol";
import { padText, type Theme, textWidth, truncateText } from "@gantry/terminal";

/** The first row: the name of the view, and the sessions in each group. */
export function headerRow(title: string, counts: Record<SessionGroup, number>, theme: Theme, width: number): string {
  const styles: Record<SessionGroup, (text: string) => string> = {
    needs_you: theme.yellow,
    working: theme.cyan,
    held: theme.yellow,
    done: theme.dim,
  };
  const figures = sessionGroups.map((group) => {
    const text = `${groupNames[group]} ${counts[group]}`;
    return counts[group] > 0 ? styles[group](text) : theme.dim(text);
  });
  const right = figures.join(theme.dim(" · "));
  const room = Math.max(0, width - textWidth(right) - 3);
  if (room < 12) return theme.bar(padText(truncateText(` ${right}`, width), width));
  return theme.bar(`${padText(truncateText(` ${theme.bold(title)}`, room), room)}  ${right} `);
}

export function footerRow(text: string, width: number): string {
  return truncateText(` ${text}`, width - 1);
}

/** `key meaning` pairs as one row. */
export function keyHints(pairs: readonly [string, string][], theme: Theme): string {
  return pairs.map(([key, meaning]) => `${theme.bold(key)} ${theme.dim(meaning)}`).join(theme.dim("  "));
}

/** Rows inside of a border. */
export function boxRows(title: string, rows: readonly string[], inner: number, theme: Theme): string[] {
  const name = truncateText(title, inner - 4);
  const top = `╭─ ${theme.bold(name)} ${"─".repeat(Math.max(0, inner - textWidth(name) - 3))}╮`;
  const body = rows.map((row) => `│${padText(truncateText(row, inner), inner)}│`);
  return [top, ...body, `╰${"─".repeat(inner)}╯`];
}

/** Puts a box over rows, in the middle. */
export function overlayRows(rows: readonly string[], box: readonly string[], width: number): string[] {
  const left = Math.max(0, Math.floor((width - textWidth(box[0] ?? "")) / 2));
  const top = Math.max(0, Math.floor((rows.length - box.length) / 3));
  const pad = " ".repeat(left);
  return rows.map((row, index) => (box[index - top] === undefined ? row : `${pad}${box[index - top]}`));
}

/** Exactly `height` rows. */
export function fillRows(rows: readonly string[], height: number): string[] {
  const shown = rows.slice(0, height);
  return [...shown, ...Array.from({ length: height - shown.length }, () => "")];
}
