import { truncateText } from "@gantry/terminal";
import type { TuiMouseEvent } from "@gantry/terminal/toolkit";
import { keyHints } from "../frame.ts";
import { ScrollState } from "../state/scroll-state.ts";
import type { Program, View } from "../view.ts";

/** A text that scrolls. `load` may be called again with `r`. */
export class TextView implements View {
  readonly title: string;
  private readonly program: Program;
  private readonly load: (width: number) => Promise<string[]>;
  private readonly keys: Record<string, () => void>;
  private readonly scroll = new ScrollState();
  private lines: string[] | undefined;
  private height = 1;
  private width = 0;

  constructor(
    program: Program,
    title: string,
    load: (width: number) => Promise<string[]>,
    keys: Record<string, () => void> = {},
  ) {
    this.program = program;
    this.title = title;
    this.load = load;
    this.keys = keys;
  }

  render(width: number, height: number): string[] {
    if (width !== this.width) {
      this.width = width;
      this.reload();
    }
    this.height = height;
    if (!this.lines) return ["", this.program.theme.dim("  Loading …")];
    const from = this.scroll.window(this.lines.length, height);
    return this.lines.slice(from, from + height).map((line) => truncateText(` ${line}`, width - 1));
  }

  key(key: string | undefined): boolean {
    if (!key) return false;
    const own = this.keys[key];
    if (own) own();
    else if (key === "r") this.reload();
    else {
      const move =
        { down: "shift+down", j: "shift+down", up: "shift+up", k: "shift+up", space: "pageDown" }[key] ?? key;
      return this.scroll.key(move, this.lines?.length ?? 0, this.height);
    }
    return true;
  }

  mouse(event: TuiMouseEvent): boolean {
    if (event.type !== "wheel") return false;
    this.scroll.scroll(event.wheelDelta ?? 0, this.lines?.length ?? 0, this.height);
    return true;
  }

  hints(): string {
    return keyHints(
      [
        ["↑ ↓ PgUp PgDn", "scroll"],
        ["r", "reload"],
        ["esc", "back"],
      ],
      this.program.theme,
    );
  }

  private reload(): void {
    this.program.attempt(async () => {
      this.lines = await this.load(this.width - 2);
      this.program.repaint();
    });
  }
}
