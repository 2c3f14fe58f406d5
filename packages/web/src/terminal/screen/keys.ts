/** How one leaves a terminal by keyboard, in the notation of shortcuts. */
export const LEAVE = "mod+shift+up";
/** Shows and hides the terminals of a session. */
export const TOGGLE = "mod+`";

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * What a key in a terminal does, where it does not go to the program: `page` keys are left to the page. Copying and
 * pasting need Shift, since Ctrl and a letter alone belong to the program.
 */
export function keyFor(event: KeyPress): "leave" | "copy" | "paste" | "page" | undefined {
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return undefined;
  const key = event.key.toLowerCase();
  if (key === "`" && !event.shiftKey) return "page";
  if (!event.shiftKey) return undefined;
  return ({ arrowup: "leave", c: "copy", v: "paste" } as const)[key];
}
