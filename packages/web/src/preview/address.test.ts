import { expect, it } from "vitest";
import { isSameServer, parsePath, parseTarget } from "./address.ts";

it("parses a port, a host or an address of a dev server", () => {
  expect(parseTarget(" 5173 ")).toEqual({ port: 5173 });
  expect(parseTarget(":3000")).toEqual({ port: 3000 });
  expect(parseTarget("localhost:5173/admin")).toEqual({ url: "http://localhost:5173/admin" });
  expect(parseTarget("https://localhost/")).toEqual({ url: "https://localhost/" });
});

it("parses a path and never leads to another site", () => {
  expect(["/a?b#c", "a", "", "http://localhost:5173/x", "//evil.example/x"].map(parsePath)).toEqual([
    "/a?b#c",
    "/a",
    "/",
    "/x",
    "//evil.example/x",
  ]);
});

it("compares dev servers by origin", () => {
  expect(isSameServer("http://localhost:5173/a", "http://localhost:5173/")).toBe(true);
  expect(isSameServer("http://localhost:5173/", "http://localhost:5174/")).toBe(false);
  expect(isSameServer("http://0.0.0.0:5173/", "http://localhost:5173/x")).toBe(true);
  expect(isSameServer("http://app.localhost:5173/", "http://localhost:5173/")).toBe(false);
});
