import { expect, it } from "vitest";
import { Typist } from "./typist.ts";

/** Sends that end when they are told to. */
function sending() {
  const sent: string[] = [];
  const ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const errors: unknown[] = [];
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => {
      sent.push(text);
      ends.push({ resolve, reject });
    });
  const typist = new Typist(send, (error) => errors.push(error));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return { typist, sent, ends, errors, settle };
}

it("sends one piece at a time, and what was typed meanwhile together", async () => {
  const { typist, sent, ends, settle } = sending();
  for (const letter of "echo") typist.type(letter);
  expect(sent).toEqual(["e"]);
  ends[0]?.resolve();
  await settle();
  expect(sent).toEqual(["e", "cho"]);
});

it("drops what waits when a piece is refused, and goes on with what is typed next", async () => {
  const { typist, sent, ends, errors, settle } = sending();
  typist.type("a");
  typist.type("b");
  ends[0]?.reject(new Error("gone"));
  await settle();
  expect(errors).toHaveLength(1);
  typist.type("c");
  expect(sent).toEqual(["a", "c"]);
});

it("cuts a long paste between characters", async () => {
  const { typist, sent, ends, settle } = sending();
  const text = `${"x".repeat(65_535)}😀 end`;
  typist.type(text);
  expect(sent[0]).toHaveLength(65_535);
  ends[0]?.resolve();
  await settle();
  expect(sent.join("")).toBe(text);
});
