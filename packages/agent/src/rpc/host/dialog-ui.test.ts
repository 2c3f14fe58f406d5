import { describe, expect, it, vi } from "vitest";
import type { UserInterface } from "../../contract/ui.ts";
import { readFrame } from "../testing/frames.ts";
import { createDialogUi, type UiOptions, urlNotice } from "./dialog-ui.ts";
import { createDialogs } from "./dialogs.ts";

type Frame = Record<string, unknown>;

function start(options?: UiOptions) {
  const frames: Frame[] = [];
  const dialogs = createDialogs((frame) => frames.push(frame));
  const ui = createDialogUi(dialogs, options);
  /** Shows a dialog and answers it as a client does. */
  const answer = async <Result>(show: (ui: UserInterface) => Promise<Result>, reply: Frame): Promise<Result> => {
    const shown = show(ui);
    dialogs.answer({ id: String(frames.at(-1)?.id), ...reply });
    return await shown;
  };
  return { frames, ui, answer };
}

describe("the user interface of an RPC client", () => {
  it("shows each dialog with the fields of the protocol and returns the answer", async () => {
    const { frames, answer } = start();
    expect(await answer((ui) => ui.select("Which?", ["a", "b"]), { value: "b" })).toBe("b");
    expect(await answer((ui) => ui.confirm("Sure?", "It is gone then."), { confirmed: true })).toBe(true);
    expect(await answer((ui) => ui.input("Name?", "feature/…"), { value: "main" })).toBe("main");
    expect(await answer((ui) => ui.editor("Message", "fix:"), { value: "fix: all" })).toBe("fix: all");
    expect(frames).toMatchObject([
      { method: "select", title: "Which?", options: ["a", "b"] },
      { method: "confirm", title: "Sure?", message: "It is gone then." },
      { method: "input", title: "Name?", placeholder: "feature/…" },
      { method: "editor", title: "Message", prefill: "fix:" },
    ]);
    for (const frame of frames) readFrame(frame);
  });

  it("takes a cancelled dialog, an unknown choice and a text as no answer", async () => {
    const { answer } = start();
    expect(await answer((ui) => ui.select("Which?", ["a"]), { cancelled: true })).toBeUndefined();
    expect(await answer((ui) => ui.select("Which?", ["a"]), { value: "z" })).toBeUndefined();
    expect(await answer((ui) => ui.confirm("Sure?", ""), { value: "yes" })).toBe(false);
    expect(await answer((ui) => ui.input("Name?"), { confirmed: true })).toBeUndefined();
  });

  it("ends a dialog at its timeout or abort, and closes it at the client", async () => {
    vi.useFakeTimers();
    const { frames, ui } = start();
    const confirmed = ui.confirm("Sure?", "", { timeoutMs: 300 });
    expect(frames[0]).toMatchObject({ timeout: 300 });
    vi.advanceTimersByTime(300);
    expect(await confirmed).toBe(false);
    const stop = new AbortController();
    const typed = ui.editor("Text", undefined, { signal: stop.signal });
    stop.abort();
    expect(await typed).toBeUndefined();
    expect(frames.map(({ method, targetId }) => [method, targetId])).toEqual([
      ["confirm", undefined],
      ["cancel", frames[0]?.id],
      ["editor", undefined],
      ["cancel", frames[2]?.id],
    ]);
    vi.useRealTimers();
  });

  it("sends notices, status, widgets and editor text, which need no answer", () => {
    const { frames, ui } = start();
    ui.notify("Saved.");
    ui.notify("Careful.", "warning");
    ui.setStatus("build", "green");
    ui.setStatus("build");
    ui.setWidget("plan", ["1. read", "2. write"], "belowEditor");
    ui.setWidget("plan");
    ui.setEditorText("draft");
    expect(frames.map(({ type: _, id: __, ...fields }) => fields)).toEqual([
      { method: "notify", message: "Saved.", notifyType: "info" },
      { method: "notify", message: "Careful.", notifyType: "warning" },
      { method: "setStatus", statusKey: "build", statusText: "green" },
      { method: "setStatus", statusKey: "build" },
      { method: "setWidget", widgetKey: "plan", widgetLines: ["1. read", "2. write"], widgetPlacement: "belowEditor" },
      { method: "setWidget", widgetKey: "plan" },
      { method: "set_editor_text", text: "draft" },
    ]);
    for (const frame of frames) readFrame(frame);
  });

  it("sends titles and open_url only to a client that asked for them", () => {
    const usual = start();
    usual.ui.setTitle("gantry");
    expect(usual.frames).toEqual([]);
    const asked = start({ titles: true });
    asked.ui.setTitle("gantry");
    expect(asked.frames).toMatchObject([{ method: "setTitle", title: "gantry" }]);
    const url = "https://example.org/login";
    expect(urlNotice(url, "Log in:", {})).toEqual({
      method: "notify",
      message: `Log in: ${url}`,
      notifyType: "info",
      url,
      instructions: "Log in:",
    });
    expect(urlNotice(url, undefined, { openUrls: true })).toEqual({ method: "open_url", url });
  });
});
