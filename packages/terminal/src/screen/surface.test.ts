import { expect, test } from "vitest";
import { liveSurface, plainSurface } from "./surface.ts";

function screen(columns = 80) {
  const writes: string[] = [];
  return { columns, writes, write: (text: string) => writes.push(text.replace(/\x1b\[\?2026[hl]/g, "")) };
}

test("live lines are taken away before lines are committed, and drawn again below", () => {
  const out = screen();
  const surface = liveSurface(out);
  surface.live(["one", "two"]);
  surface.commit(["final"]);
  expect(out.writes).toEqual(["one\r\ntwo\r\n\r", "\r\x1b[2A\x1b[Jfinal\x1b[0m\r\none\r\ntwo\r\n\r"]);
});

test("the same live lines are not drawn twice, and long ones are cut so that they never wrap", () => {
  const out = screen(20);
  const surface = liveSurface(out);
  surface.live(["0123456789abcdefghijk"]);
  surface.live(["0123456789abcdefghijk"]);
  expect(out.writes).toEqual(["0123456789abcdefgh…\r\n\r"]);
});

test("while a question is asked, new lines are held back", () => {
  const out = screen();
  const surface = liveSurface(out);
  surface.live(["working"]);
  surface.suspend();
  surface.commit(["late"]);
  expect(out.writes.join("")).not.toContain("late");
  surface.resume();
  expect(out.writes.at(-1)).toBe("late\x1b[0m\r\nworking\r\n\r");
});

test("a pipe gets what is final and nothing else", () => {
  const out = screen();
  const surface = plainSurface(out);
  surface.live(["spinner"]);
  surface.commit(["a", "b"]);
  surface.commit([]);
  expect(out.writes).toEqual(["a\nb\n"]);
});
