import { expect, it } from "vitest";
import type { PickedElement } from "../inspector/messages.ts";
import { elementContext, errorsContext, fixRequest } from "./preview-context.ts";

const element: PickedElement = {
  selector: "#buy",
  tag: "button",
  text: "Buy\n  now",
  html: '<button id="buy">Buy now</button>',
  attributes: { id: "buy" },
  rect: { x: 40, y: 80, width: 120, height: 40 },
  path: "/cart?x=1",
};

it("describes a picked element, its position and its component", () => {
  const component = { framework: "react" as const, name: "Cart", file: "/src/Cart.tsx" };
  expect(elementContext({ ...element, component }, "http://localhost:5173/admin")).toEqual({
    title: "Cart <button> Buy now",
    text: `Element picked in http://localhost:5173/cart?x=1
Selector: #buy
Component: Cart (react) /src/Cart.tsx
Size: 120 × 40 at 40, 80
Text: Buy now
\`\`\`html
<button id="buy">Buy now</button>
\`\`\``,
  });
});

it("omits missing fields and fences HTML that contains fences", () => {
  const { title, text } = elementContext({ ...element, text: "", html: "<pre>````</pre>" }, "http://localhost:5173/");
  expect(title).toBe("<button>");
  expect(text).not.toContain("Component");
  expect(text).toContain("`````html\n<pre>````</pre>\n`````");
});

it("lists errors", () => {
  expect(errorsContext(["a", "b"], "http://localhost:5173/")).toEqual({
    title: "2 preview errors",
    text: "Errors in the console of http://localhost:5173/\n- a\n- b",
  });
});

it("asks for a fix of the errors", () => {
  expect(fixRequest(["a"], "http://localhost:5173/")).toBe(
    "Please fix this error of the preview.\n\nErrors in the console of http://localhost:5173/\n- a",
  );
});
