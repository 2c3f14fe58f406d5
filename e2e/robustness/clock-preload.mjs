// Shifts the clock of a process by the milliseconds in the file CLOCK_FILE. Timers are not changed, as on a real machine.
import { readFileSync } from "node:fs";

const RealDate = Date;
let offset = 0;
let lastRead = Number.NEGATIVE_INFINITY;

function shift() {
  if (performance.now() - lastRead > 20) {
    lastRead = performance.now();
    try {
      offset = Number(readFileSync(process.env.CLOCK_FILE, "utf8"));
    } catch {
      // The file is being replaced.
    }
  }
  return offset;
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift());
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift();
  }
};
