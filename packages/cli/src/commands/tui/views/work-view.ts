import type { Session, Task } from "@gantry/protocol";
import { firstLine, stripControls, truncateText } from "@gantry/terminal";
import { taskLine } from "../../tasks/tasks.ts";
import { keyHints } from "../frame.ts";
import { ListState } from "../state/list-state.ts";
import type { Program, View } from "../view.ts";

type Item =
  | { kind: "queued"; message: string; text: string; place: number }
  | { kind: "unread"; message: string; text: string }
  | { kind: "task"; task: Task };

/** The queue of a session, messages that the agent has not read, and background tasks. */
export class WorkView implements View {
  readonly title = "Queue and tasks";
  private readonly program: Program;
  private readonly id: string;
  private readonly list = new ListState();

  constructor(program: Program, id: string) {
    this.program = program;
    this.id = id;
  }

  render(width: number, height: number): string[] {
    const { theme } = this.program;
    const items = this.items;
    const state = this.session?.queueState === "paused" ? theme.yellow("  The queue is paused. p resumes it.") : "";
    if (items.length === 0) return ["", theme.dim("  Nothing is queued and nothing runs in the background.")];
    const { from, to } = this.list.window(items.length, Math.max(1, height - 2));
    const rows = items.slice(from, to).map((item, index) => {
      const row = truncateText(` ${this.row(item)}`, width - 1);
      return from + index === this.list.index ? theme.selected(row) : row;
    });
    return state ? [state, "", ...rows] : rows;
  }

  key(key: string | undefined): boolean {
    const items = this.items;
    if (key && this.list.key(key, items.length, 10)) return true;
    const item = items[this.list.index];
    const { client } = this.program;
    if (key === "p") this.change(() => client.sessions.setQueue(this.id, this.isPaused ? "running" : "paused"));
    else if (key === "x" && item) this.change(() => this.remove(item));
    else if (key === "enter" && item?.kind === "queued")
      this.change(() => client.sessions.editMessage(this.id, item.message, { delivery: "interrupt" }));
    else if (key === "s" && item?.kind === "queued")
      this.change(() => client.sessions.editMessage(this.id, item.message, { delivery: "steer" }));
    else if ((key === "shift+up" || key === "shift+down") && item?.kind === "queued") this.reorder(item, key);
    else if (key === "e" && item?.kind === "queued") {
      this.program.ask("Edit the message", item.text, (text) =>
        this.change(() => client.sessions.editMessage(this.id, item.message, { text })),
      );
    } else return false;
    return true;
  }

  hints(): string {
    const pairs: [string, string][] = [
      ["↵", "send now"],
      ["s", "steer"],
      ["e", "edit"],
      ["⇧↑ ⇧↓", "move"],
      ["x", "cancel or stop"],
      ["p", this.isPaused ? "resume" : "pause"],
      ["esc", "back"],
    ];
    return keyHints(pairs, this.program.theme);
  }

  private get session(): Session | undefined {
    return this.program.store.sessions.get(this.id);
  }

  private get isPaused(): boolean {
    return this.session?.queueState === "paused";
  }

  private get items(): Item[] {
    const { queue = [], steers = [], tasks = [] } = this.session ?? {};
    return [
      ...queue.map(({ message, text }, index) => ({ kind: "queued" as const, message, text, place: index })),
      ...steers.map(({ message, text }) => ({ kind: "unread" as const, message, text })),
      ...tasks.map((task) => ({ kind: "task" as const, task })),
    ];
  }

  private row(item: Item): string {
    const { theme } = this.program;
    if (item.kind === "task") return taskLine(item.task, theme);
    const text = firstLine(stripControls(item.text));
    return item.kind === "queued"
      ? `${theme.cyan(`${item.place + 1}`)} ${text}`
      : `${theme.cyan("↳")} ${theme.dim("not read yet:")} ${text}`;
  }

  private remove(item: Item): Promise<unknown> {
    const { client } = this.program;
    if (item.kind === "task") return client.tasks.stop(this.id, item.task.task);
    return client.sessions.cancelMessage(this.id, item.message);
  }

  private reorder(item: Item & { kind: "queued" }, key: string): void {
    const position = Math.max(0, item.place + (key === "shift+up" ? -1 : 1));
    this.list.index = position;
    this.change(() => this.program.client.sessions.editMessage(this.id, item.message, { position }));
  }

  private change(work: () => Promise<unknown>): void {
    this.program.attempt(async () => {
      await work();
      this.program.store.mark(this.id);
    });
  }
}
