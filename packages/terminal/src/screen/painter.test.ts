import { expect, test } from "vitest";
import { Painter } from "./painter.ts";

function screen(columns = 80) {
  const writes: string[] = [];
  const out = { columns, write: (text: string) => writes.push(text.replace(/\x1b\[\?2026[hl]/g, "")) };
  return { writes, out, painter: new Painter(out) };
}

test("erases exactly what it painted, also after the terminal became narrower", () => {
  const { writes, out, painter } = screen();
  painter.paint(["stays"], { rows: ["x".repeat(70), "status", "› "], cursor: { row: 2, column: 2 } });
  out.columns = 40;
  painter.paint([], { rows: ["› "], cursor: { row: 0, column: 2 } });
  expect(writes[1]).toContain("\r\x1b[3A\x1b[J");
});

test("rewrites only the rows that changed", () => {
  const { writes, painter } = screen();
  const cursor = { row: 2, column: 2 };
  painter.paint([], { rows: ["one", "two", "› "], cursor });
  painter.paint([], { rows: ["one", "TWO", "› "], cursor });
  painter.paint([], { rows: ["one", "TWO", "› "], cursor });
  painter.paint([], { rows: ["one", "TWO", "› x"], cursor: { row: 2, column: 3 } });
  expect(writes.slice(1)).toEqual(["\r\x1b[1A\x1b[2KTWO\r\x1b[1B\x1b[2C", "\r\x1b[2K› x\r\x1b[3C"]);
});

test("paints everything again if the live rows are higher than the terminal", () => {
  const writes: string[] = [];
  const painter = new Painter({ columns: 80, rows: 2, write: (text: string) => writes.push(text) });
  const cursor = { row: 2, column: 0 };
  painter.paint([], { rows: ["one", "two", "three"], cursor });
  painter.paint([], { rows: ["one", "TWO", "three"], cursor });
  expect(writes[1]).toContain("one\r\nTWO\r\nthree");
});
