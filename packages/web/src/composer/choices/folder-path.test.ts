import { describe, expect, it } from "vitest";
import { absolutePath, filterByPrefix, splitTypedPath } from "./folder-path.ts";

describe("a partly typed path", () => {
  it("is split at its last slash", () => {
    expect(splitTypedPath("/home/me/pro", undefined)).toEqual({ folder: "/home/me", prefix: "pro" });
    expect(splitTypedPath("/home/me/", undefined)).toEqual({ folder: "/home/me", prefix: "" });
    expect(splitTypedPath("/ho", undefined)).toEqual({ folder: "/", prefix: "ho" });
    expect(splitTypedPath("pro", undefined)).toEqual({ folder: undefined, prefix: "pro" });
  });

  it("may start with the home folder", () => {
    expect(splitTypedPath("~/pro", "/home/me")).toEqual({ folder: "/home/me", prefix: "pro" });
    expect(absolutePath("~", "/home/me")).toBe("/home/me");
  });

  it("loses its trailing slash and must be absolute", () => {
    expect(absolutePath("/home/me/ ", undefined)).toBe("/home/me");
    expect(absolutePath("/", undefined)).toBe("/");
    expect(absolutePath("/srv", undefined)).toBe("/srv");
    expect(absolutePath("src", "/home/me")).toBeUndefined();
  });

  it("matches folders by prefix", () => {
    expect(filterByPrefix([{ name: "Parcel" }, { name: "rates" }], "pa")).toEqual([{ name: "Parcel" }]);
  });
});
