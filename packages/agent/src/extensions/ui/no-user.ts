import type { UserInterface } from "../../contract/ui.ts";
import type { ExtensionUi } from "../api/types.ts";

/** The default answers where no user can be asked: print mode, and sessions of programs. */
export function uiWithoutUser(notify: UserInterface["notify"] = () => {}): ExtensionUi {
  return {
    hasUser: false,
    select: async () => undefined,
    confirm: async () => false,
    input: async () => undefined,
    editor: async () => undefined,
    notify,
    setStatus: () => {},
    setWidget: () => {},
    setTitle: () => {},
    setEditorText: () => {},
  };
}

export function uiWithUser(ui: UserInterface): ExtensionUi {
  return {
    hasUser: true,
    select: (...args) => ui.select(...args),
    confirm: (...args) => ui.confirm(...args),
    input: (...args) => ui.input(...args),
    editor: (...args) => ui.editor(...args),
    notify: (...args) => ui.notify(...args),
    setStatus: (...args) => ui.setStatus(...args),
    setWidget: (...args) => ui.setWidget(...args),
    setTitle: (...args) => ui.setTitle(...args),
    setEditorText: (...args) => ui.setEditorText(...args),
  };
}
