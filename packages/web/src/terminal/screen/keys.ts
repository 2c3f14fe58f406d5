/** The shortcut that moves the focus out of a terminal. */
export const LEAVE = "mod+shift+up";
/** Shows and hides the terminals of a session. */
export const TOGGLE = "mod+`";

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * What a key in a terminal does; `undefined` if it is passed to the program. `page` keys are handled by the page. Copy and
 * paste need Shift, because Ctrl with a letter belongs to the program.
 */
export function keyFor(event: KeyPress): "leave" | "copy" | "paste" | "page" | undefined {
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return undefined;
  const key = event.key.toLowerCase();
  if (key === "`" && !event.shiftKey) return "page";
  if (!event.shiftKey) return undefined;
  return ({ arrowup: "leave", c: "copy", v: "paste" } as const)[key];
}
