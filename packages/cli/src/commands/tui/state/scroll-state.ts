/** The position in a text that is longer than the screen. `follow`: new rows at the end stay visible. */
export class ScrollState {
  private top = 0;
  private isAtEnd: boolean;

  constructor(follow = false) {
    this.isAtEnd = follow;
  }

  get follows(): boolean {
    return this.isAtEnd;
  }

  get isAtTop(): boolean {
    return this.top === 0;
  }

  /** The first visible row. */
  window(count: number, height: number): number {
    const last = Math.max(0, count - height);
    this.top = this.isAtEnd ? last : Math.max(0, Math.min(this.top, last));
    return this.top;
  }

  /** Moves the view, for rows that were added above it. */
  shift(rows: number): void {
    this.top = Math.max(0, this.top + rows);
  }

  scroll(by: number, count: number, height: number): void {
    const last = Math.max(0, count - height);
    this.top = Math.max(0, Math.min(last, this.window(count, height) + by));
    this.isAtEnd = this.top >= last;
  }

  toEnd(): void {
    this.isAtEnd = true;
  }

  /** Handles the keys of scrolling texts. Returns whether it was one. */
  key(key: string, count: number, height: number): boolean {
    const page = Math.max(1, height - 2);
    const steps: Record<string, number> = {
      pageUp: -page,
      pageDown: page,
      home: -count,
      end: count,
      "ctrl+up": -1,
      "ctrl+down": 1,
      "shift+up": -1,
      "shift+down": 1,
    };
    const step = steps[key];
    if (step === undefined) return false;
    this.scroll(step, count, height);
    return true;
  }
}
