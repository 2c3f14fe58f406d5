import { expect, it } from "vitest";
import { asPath, asTarget, sameServer } from "./address.ts";

it("takes a dev server as people write it", () => {
  expect(asTarget(" 5173 ")).toEqual({ port: 5173 });
  expect(asTarget(":3000")).toEqual({ port: 3000 });
  expect(asTarget("localhost:5173/admin")).toEqual({ url: "http://localhost:5173/admin" });
  expect(asTarget("https://localhost/")).toEqual({ url: "https://localhost/" });
});

it("takes a path as people write it, and never an address elsewhere", () => {
  expect(["/a?b#c", "a", "", "http://localhost:5173/x", "//evil.example/x"].map(asPath)).toEqual([
    "/a?b#c",
    "/a",
    "/",
    "/x",
    "//evil.example/x",
  ]);
});

it("knows a dev server by its origin", () => {
  expect(sameServer("http://localhost:5173/a", "http://localhost:5173/")).toBe(true);
  expect(sameServer("http://localhost:5173/", "http://localhost:5174/")).toBe(false);
});
