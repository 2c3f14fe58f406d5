import { expect, it } from "vitest";
import { projectFile } from "./component.ts";

it("finds the project's file on a stack", () => {
  const stack = `Error: react-stack-top-frame
    at exports.jsxDEV (http://localhost:4567/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1:250:30)
    at Cart (http://localhost:4567/src/shop/Cart.tsx?t=17:31:24)
    at Object.react_stack_bottom_frame (http://localhost:4567/node_modules/.vite/deps/react-dom_client.js?v=1:1:1)`;
  expect(projectFile(stack)).toBe("/src/shop/Cart.tsx");
  expect(projectFile("Error\n  at a (http://localhost:1/node_modules/x.js:1:1)")).toBeUndefined();
});
