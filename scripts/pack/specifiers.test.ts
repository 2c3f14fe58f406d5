import { expect, it } from "vitest";
import { type Layout, rewriteSpecifiers } from "./specifiers.ts";

const files = new Set(["dist/a.js", "dist/deep/b.js", "dist/private/models/oauth.js"]);
const layout: Layout = {
  has: (path) => files.has(path),
  fileOf: (specifier) => (specifier === "@gantry/models/oauth" ? "dist/private/models/oauth.js" : undefined),
};
const rewrite = (text: string, path = "dist/deep/c.d.ts") => rewriteSpecifiers(text, path, layout);

it.each([
  ['import { a } from "../a.ts";', 'import { a } from "../a.js";'],
  ['export * from "./b.ts";', 'export * from "./b.js";'],
  ["export type B = import('./b.ts').B;", "export type B = import('./b.js').B;"],
  ['const b = await import("./b.ts");', 'const b = await import("./b.js");'],
  ['import "./b.ts";', 'import "./b.js";'],
  ['import { o } from "@gantry/models/oauth";', 'import { o } from "../private/models/oauth.js";'],
  ['type O = import("@gantry/models/oauth").O;', 'type O = import("../private/models/oauth.js").O;'],
])("rewrites %s", (text, expected) => {
  expect(rewrite(text)).toBe(expected);
});

it.each([
  'import { z } from "zod";',
  'import { GantryError } from "@gantry/protocol";',
  "const example = \"import x from './missing.ts'\";",
  'import data from "./data.json";',
  'const file = "./b.ts";',
])("leaves %s unchanged", (text) => {
  expect(rewrite(text)).toBe(text);
});

it("starts a path within the same folder with a dot", () => {
  expect(rewrite('import { o } from "@gantry/models/oauth";', "dist/index.js")).toContain(
    '"./private/models/oauth.js"',
  );
});
