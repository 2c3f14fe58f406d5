/** A dialog. `timeout` in milliseconds; the agent enforces it. */
export type DialogRequest =
  | { method: "select"; title: string; options: string[] }
  | { method: "confirm"; title: string; message: string }
  | { method: "input"; title: string; placeholder?: string }
  | { method: "editor"; title: string; prefill?: string };

/** Requests that get no answer. Without `statusText` or `widgetLines`, the status or the widget is removed. */
export type UiNotice =
  | {
      method: "notify";
      message: string;
      notifyType?: "info" | "warning" | "error";
      url?: string;
      instructions?: string;
    }
  | { method: "setStatus"; statusKey: string; statusText?: string }
  | {
      method: "setWidget";
      widgetKey: string;
      widgetLines?: string[];
      widgetPlacement?: "aboveEditor" | "belowEditor";
    }
  | { method: "setTitle"; title: string }
  | { method: "set_editor_text"; text: string }
  | { method: "open_url"; url: string; instructions?: string };

type DialogExtras = {
  timeout?: number;
  /** The call that needs an approval: `toolCallId`, `toolName`, `title`, `args`, `actions`, `preview`. */
  approval?: Record<string, unknown>;
  /** The model's question, if the dialog is one. */
  question?: Record<string, unknown>;
};

/** What the agent shows to the user of its host. `cancel` closes an earlier dialog. */
export type UiRequest = { type: "extension_ui_request"; id: string } & (
  | (DialogRequest & DialogExtras)
  | UiNotice
  | { method: "cancel"; targetId: string }
);
export type UiDialog = Extract<UiRequest, { title: string; method: DialogRequest["method"] }>;
