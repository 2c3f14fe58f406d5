import { describe, expect, it } from "vitest";
import { beginningWith, finishedPath, typedPath } from "./folder-path.ts";

describe("a path that is being typed", () => {
  it("is looked into up to its last slash", () => {
    expect(typedPath("/home/me/pro", undefined)).toEqual({ folder: "/home/me", begins: "pro" });
    expect(typedPath("/home/me/", undefined)).toEqual({ folder: "/home/me", begins: "" });
    expect(typedPath("/ho", undefined)).toEqual({ folder: "/", begins: "ho" });
    expect(typedPath("pro", undefined)).toEqual({ folder: undefined, begins: "pro" });
  });

  it("may begin at home", () => {
    expect(typedPath("~/pro", "/home/me")).toEqual({ folder: "/home/me", begins: "pro" });
    expect(finishedPath("~", "/home/me")).toBe("/home/me");
  });

  it("is finished without a slash at its end, and only when it is absolute", () => {
    expect(finishedPath("/home/me/ ", undefined)).toBe("/home/me");
    expect(finishedPath("/", undefined)).toBe("/");
    expect(finishedPath("/srv", undefined)).toBe("/srv");
    expect(finishedPath("src", "/home/me")).toBeUndefined();
  });

  it("offers what begins like it", () => {
    expect(beginningWith([{ name: "Parcel" }, { name: "rates" }], "pa")).toEqual([{ name: "Parcel" }]);
  });
});
