import { expect, it } from "vitest";
import { keyFor } from "./keys.ts";

const press = (key: string, ...held: string[]) =>
  keyFor({
    key,
    ctrlKey: held.includes("ctrl"),
    metaKey: held.includes("meta"),
    shiftKey: held.includes("shift"),
    altKey: held.includes("alt"),
  });

it("has a key to leave the terminal and passes the page's toggle key on", () => {
  expect(press("ArrowUp", "ctrl", "shift")).toBe("leave");
  expect(press("ArrowUp", "meta", "shift")).toBe("leave");
  expect(press("`", "ctrl")).toBe("page");
});

it("copies and pastes with Shift", () => {
  expect(press("C", "ctrl", "shift")).toBe("copy");
  expect(press("V", "ctrl", "shift")).toBe("paste");
});

it("passes all other keys to the program", () => {
  expect([press("c", "ctrl"), press("ArrowUp"), press("ArrowUp", "shift"), press("`")]).toEqual(
    Array(4).fill(undefined),
  );
  expect(press("ArrowUp", "ctrl", "shift", "alt")).toBeUndefined();
});
