import { expect, test } from "vitest";
import { pick } from "./resolve.ts";

const sessions = [
  { id: "ses_01aaaaaaaaaa00k3f9qz", title: "Fix the parser" },
  { id: "ses_01aaaaaaaabb00p0w2aa", title: "Fix the lexer" },
  { id: "ses_02cccccccccc00zzz9qz", title: "parser" },
];
const pickSession = (name: string) => pick("session", name, sessions, "gantry ls").id;

test("resolves a session by id, by a part of its id, and by title", () => {
  expect(pickSession("ses_01aaaaaaaaaa00k3f9qz")).toBe(sessions[0]?.id);
  expect(pickSession("k3f9qz")).toBe(sessions[0]?.id);
  expect(pickSession("02cc")).toBe(sessions[2]?.id);
  expect(pickSession("ses_02")).toBe(sessions[2]?.id);
  expect(pickSession("LEXER")).toBe(sessions[1]?.id);
});

test("prefers an exact title to a partial match", () => {
  expect(pickSession("Parser")).toBe(sessions[2]?.id);
});

test("more than one match names the candidates and is a usage error", () => {
  expect(() => pickSession("fix")).toThrow(expect.objectContaining({ exit: 2 }));
  expect(() => pickSession("9qz")).toThrow(/fits 2 sessions:\n {2}k3f9qz {2}Fix the parser\n {2}zzz9qz {2}parser/);
});

test("no match is a usage error that names the command to list candidates", () => {
  expect(() => pickSession("nothing")).toThrow(
    expect.objectContaining({ exit: 2, remedy: expect.stringContaining("gantry ls") }),
  );
});
