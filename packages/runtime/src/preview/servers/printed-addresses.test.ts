import { expect, it } from "vitest";
import { findAddresses } from "./printed-addresses.ts";

it.each([
  ["➜  Local:   http://localhost:5173/", "http://localhost:5173/"],
  ["Local: \x1b[36mhttp://localhost:\x1b[1m5173\x1b[22m/\x1b[39m", "http://localhost:5173/"],
  ['{"text":"http://localhost:\\u001b[1m3000\\u001b[22m\\nready"}', "http://localhost:3000"],
  ["Running on http://0.0.0.0:8000 (press Ctrl+C)", "http://0.0.0.0:8000"],
  ["listening at http://[::]:9000.", "http://[::]:9000"],
  ["open http://shop.app.localhost:4000/admin?x=1, then", "http://shop.app.localhost:4000/admin?x=1"],
  ["see (http://127.0.0.1:8080/docs)", "http://127.0.0.1:8080/docs"],
])("finds the address in %j", (text, address) => {
  expect(findAddresses(text)).toEqual([address]);
});

it("ignores other machines, TLS and names that only start like this one", () => {
  const text = "http://example.org:3000 https://localhost:3000 http://localhost.evil.example http://192.168.1.4:80";
  expect(findAddresses(text)).toEqual([]);
});

it("lists an address once", () => {
  expect(findAddresses("http://localhost:1/ http://localhost:1/ http://localhost:2/")).toHaveLength(2);
});
