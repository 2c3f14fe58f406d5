import { expect, test } from "vitest";
import { liveSurface, plainSurface } from "./surface.ts";

function screen() {
  const writes: string[] = [];
  return { writes, write: (text: string) => writes.push(text) };
}

test("live lines are taken away before lines are committed, and drawn again below", () => {
  const out = screen();
  const surface = liveSurface(out, () => 80);
  surface.live(["one", "two"]);
  surface.commit(["final"]);
  expect(out.writes).toEqual(["one\ntwo\n", "\r\x1b[2A\x1b[Jfinal\none\ntwo\n"]);
});

test("the same live lines are not drawn twice, and long ones are cut so that they never wrap", () => {
  const out = screen();
  const surface = liveSurface(out, () => 10);
  surface.live(["0123456789abc"]);
  surface.live(["0123456789abc"]);
  expect(out.writes).toEqual(["01234567…\n"]);
});

test("while a question is asked, new lines are held back", () => {
  const out = screen();
  const surface = liveSurface(out, () => 80);
  surface.live(["working"]);
  surface.suspend();
  surface.commit(["late"]);
  expect(out.writes.join("")).not.toContain("late");
  surface.resume();
  expect(out.writes.at(-1)).toBe("late\nworking\n");
});

test("a pipe gets what is final and nothing else", () => {
  const out = screen();
  const surface = plainSurface(out);
  surface.live(["spinner"]);
  surface.commit(["a", "b"]);
  surface.commit([]);
  expect(out.writes).toEqual(["a\nb\n"]);
});
