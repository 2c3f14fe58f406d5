import type { DialogOptions, UserInterface } from "../../contract/ui.ts";
import type { DialogRequest, UiNotice } from "../../contract/ui-request.ts";
import type { Dialogs } from "./dialogs.ts";

/** What the client has asked for besides the usual. Published clients stop reading at `open_url`, and have no title. */
export type UiOptions = { titles?: boolean; openUrls?: boolean };

/** The user interface of an RPC client. A dialog without an answer counts as cancelled. */
export function createDialogUi(dialogs: Dialogs, { titles = false }: UiOptions = {}): UserInterface {
  const never = new AbortController().signal;
  const ask = async (request: DialogRequest, { timeoutMs, signal = never }: DialogOptions = {}) => {
    const outcome = await dialogs.ask(request, { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    return outcome.kind === "answered" ? outcome.reply : undefined;
  };
  const askText = async (request: DialogRequest, options?: DialogOptions) =>
    (await ask(request, options))?.value ?? undefined;
  return {
    async select(title, options, dialog) {
      const value = await askText({ method: "select", title, options: [...options] }, dialog);
      return options.find((option) => option === value);
    },
    async confirm(title, message, dialog) {
      const reply = await ask({ method: "confirm", title, message }, dialog);
      return reply?.confirmed === true;
    },
    input: (title, placeholder, dialog) =>
      askText({ method: "input", title, ...(placeholder === undefined ? {} : { placeholder }) }, dialog),
    editor: (title, prefill, dialog) =>
      askText({ method: "editor", title, ...(prefill === undefined ? {} : { prefill }) }, dialog),
    notify: (message, level = "info") => dialogs.notify({ method: "notify", message, notifyType: level }),
    setStatus: (key, text) =>
      dialogs.notify({ method: "setStatus", statusKey: key, ...(text === undefined ? {} : { statusText: text }) }),
    setWidget: (key, lines, placement) =>
      dialogs.notify({
        method: "setWidget",
        widgetKey: key,
        ...(lines === undefined ? {} : { widgetLines: [...lines] }),
        ...(placement === undefined ? {} : { widgetPlacement: placement }),
      }),
    setTitle(title) {
      if (titles) dialogs.notify({ method: "setTitle", title });
    },
    setEditorText: (text) => dialogs.notify({ method: "set_editor_text", text }),
  };
}

/** An address to open: `open_url` for a client that asked for it, else a notice with the address. */
export function urlNotice(url: string, instructions: string | undefined, { openUrls = false }: UiOptions): UiNotice {
  const how = instructions === undefined ? {} : { instructions };
  if (openUrls) return { method: "open_url", url, ...how };
  const message = `${instructions ?? "Open this address to log in:"} ${url}`;
  return { method: "notify", message, notifyType: "info", url, ...how };
}
