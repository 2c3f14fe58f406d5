import type { UserInterface } from "../../contract/ui.ts";
import type { ExtensionUi } from "../api/types.ts";

/**
 * A user interface that works from `open` on. Before that, extensions are being loaded: dialogs have the default answers,
 * because the start waits for the extension, and everything else is shown once it opens.
 */
export function lateUi(ui: ExtensionUi, without: ExtensionUi): ExtensionUi & { open(): void } {
  let isOpen = false;
  const waiting: (() => void)[] = [];
  const later = <Args extends unknown[]>(show: (...args: Args) => void) => {
    return (...args: Args) => {
      if (isOpen) show(...args);
      else waiting.push(() => show(...args));
    };
  };
  const now = () => (isOpen ? ui : without);
  return {
    hasUser: ui.hasUser,
    select: (...args) => now().select(...args),
    confirm: (...args) => now().confirm(...args),
    input: (...args) => now().input(...args),
    editor: (...args) => now().editor(...args),
    notify: later((...args: Parameters<UserInterface["notify"]>) => ui.notify(...args)),
    setStatus: later((...args: Parameters<UserInterface["setStatus"]>) => ui.setStatus(...args)),
    setWidget: later((...args: Parameters<UserInterface["setWidget"]>) => ui.setWidget(...args)),
    setTitle: later((...args: Parameters<UserInterface["setTitle"]>) => ui.setTitle(...args)),
    setEditorText: later((...args: Parameters<UserInterface["setEditorText"]>) => ui.setEditorText(...args)),
    open() {
      isOpen = true;
      for (const show of waiting.splice(0)) show();
    },
  };
}
