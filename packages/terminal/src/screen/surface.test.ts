import { expect, test } from "vitest";
import { liveSurface, plainSurface } from "./surface.ts";

function screen(columns = 80) {
  const writes: string[] = [];
  return { columns, writes, write: (text: string) => writes.push(text.replace(/\x1b\[\?2026[hl]/g, "")) };
}

test("erases live lines before it commits lines, and paints them again below", () => {
  const out = screen();
  const surface = liveSurface(out);
  surface.live(["one", "two"]);
  surface.commit(["final"]);
  expect(out.writes).toEqual(["one\r\ntwo\r\n\r", "\r\x1b[2A\x1b[Jfinal\x1b[0m\r\none\r\ntwo\r\n\r"]);
});

test("does not repaint unchanged live lines, and cuts long ones so that they never wrap", () => {
  const out = screen(20);
  const surface = liveSurface(out);
  surface.live(["0123456789abcdefghijk"]);
  surface.live(["0123456789abcdefghijk"]);
  expect(out.writes).toEqual(["0123456789abcdefgh…\r\n\r"]);
});

test("holds back new lines while it is suspended", () => {
  const out = screen();
  const surface = liveSurface(out);
  surface.live(["working"]);
  surface.suspend();
  surface.commit(["late"]);
  expect(out.writes.join("")).not.toContain("late");
  surface.resume();
  expect(out.writes.at(-1)).toBe("late\x1b[0m\r\nworking\r\n\r");
});

test("writes only committed lines to a pipe", () => {
  const out = screen();
  const surface = plainSurface(out);
  surface.live(["spinner"]);
  surface.commit(["a", "b"]);
  surface.commit([]);
  expect(out.writes).toEqual(["a\nb\n"]);
});
