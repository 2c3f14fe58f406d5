import { expect, it } from "vitest";
import { lazyBuiltins } from "./lazy-builtins.ts";

const run = (code: string, loaded: string[]) =>
  new Function("require", "report", lazyBuiltins(code))(
    (id: string) => {
      loaded.push(id);
      return { join: (...parts: string[]) => parts.join("/"), default: 1 };
    },
    () => [...loaded],
  ) as unknown;

it("loads a module when a property of it is first used, and once", () => {
  const loaded: string[] = [];
  const code = `let node_path = require("node:path");\nlet node_fs = require("node:fs");\nconst use = () => (0, node_path.join)("a", "b");\nconst before = report();\nreturn [before, use(), use(), report()];`;
  expect(run(code, loaded)).toEqual([[], "a/b", "a/b", ["node:path"]]);
});

it("constructs a class of a module", () => {
  const code = `let node_path = require("node:path");\nreturn new node_path.Class("a").given;`;
  const require = () => ({
    Class: class {
      given: string;
      constructor(given: string) {
        this.given = given;
      }
    },
  });
  expect(new Function("require", lazyBuiltins(code))(require)).toBe("a");
});

it("leaves a module alone that is used as a whole or whose name is declared again", () => {
  const whole = `let node_path = require("node:path");\nconst copy = { ...node_path };\nreturn node_path.default;`;
  expect(lazyBuiltins(whole)).toBe(whole);
  const shadowed = `let node_path = require("node:path");\nfunction f(node_path) { return node_path.join; }\nreturn node_path.default;`;
  expect(lazyBuiltins(shadowed)).toBe(shadowed);
});

it("changes neither other names with the same end nor properties of that name", () => {
  const loaded: string[] = [];
  const code = `let node_path = require("node:path");\nconst my_node_path = { default: 2 }, x = { node_path$1: { default: 3 } };\nreturn [my_node_path.default, x.node_path$1.default, node_path.default];`;
  expect(run(code, loaded)).toEqual([2, 3, 1]);
});
