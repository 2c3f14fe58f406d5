import { expect, it } from "vitest";
import { InputSender } from "./input-sender.ts";

/** A sender whose calls are settled by the test. */
function createSender() {
  const sent: string[] = [];
  const ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const errors: unknown[] = [];
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => {
      sent.push(text);
      ends.push({ resolve, reject });
    });
  const input = new InputSender(send, (error) => errors.push(error));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return { input, sent, ends, errors, settle };
}

it("sends one call at a time and combines input typed during a call", async () => {
  const { input, sent, ends, settle } = createSender();
  for (const letter of "echo") input.type(letter);
  expect(sent).toEqual(["e"]);
  ends[0]?.resolve();
  await settle();
  expect(sent).toEqual(["e", "cho"]);
});

it("drops pending input when a call fails and continues with later input", async () => {
  const { input, sent, ends, errors, settle } = createSender();
  input.type("a");
  input.type("b");
  ends[0]?.reject(new Error("gone"));
  await settle();
  expect(errors).toHaveLength(1);
  input.type("c");
  expect(sent).toEqual(["a", "c"]);
});

it("splits a long paste between characters", async () => {
  const { input, sent, ends, settle } = createSender();
  const text = `${"x".repeat(65_535)}😀 end`;
  input.type(text);
  expect(sent[0]).toHaveLength(65_535);
  ends[0]?.resolve();
  await settle();
  expect(sent.join("")).toBe(text);
});
