/** The selected row of a list and the first visible one. */
export class ListState {
  index = 0;
  private top = 0;

  move(by: number, count: number): void {
    this.index = Math.max(0, Math.min(count - 1, this.index + by));
  }

  /** The visible range for `height` rows. The selected row is always in it. */
  window(count: number, height: number): { from: number; to: number } {
    this.index = Math.max(0, Math.min(count - 1, this.index));
    if (this.index < this.top) this.top = this.index;
    if (this.index >= this.top + height) this.top = this.index - height + 1;
    this.top = Math.max(0, Math.min(this.top, count - height));
    return { from: this.top, to: Math.min(count, this.top + height) };
  }

  /** Handles the keys of lists. Returns whether it was one. */
  key(key: string, count: number, page: number): boolean {
    const steps: Record<string, number> = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      pageUp: -page,
      pageDown: page,
      home: -count,
      g: -count,
      end: count,
      "shift+g": count,
    };
    const step = steps[key];
    if (step === undefined) return false;
    this.move(step, count);
    return true;
  }
}
