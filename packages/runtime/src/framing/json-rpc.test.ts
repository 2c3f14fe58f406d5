import fc from "fast-check";
import { expect, test } from "vitest";
import { readRpc, rpcFailure, rpcNotification, rpcRequest, rpcResult, withVersion } from "./json-rpc.ts";

test("reads back what it writes", () => {
  expect(readRpc(rpcRequest(3, "a", { b: 1 }))).toEqual({ kind: "request", id: 3, method: "a", params: { b: 1 } });
  expect(readRpc(rpcNotification("a"))).toEqual({ kind: "notification", method: "a", params: undefined });
  expect(readRpc(rpcResult("x", null))).toEqual({ kind: "result", id: "x", result: null });
  expect(readRpc(rpcFailure(1, -32601, "no"))).toEqual({
    kind: "error",
    id: 1,
    error: { code: -32601, message: "no" },
  });
  expect(withVersion(rpcResult(1, {}))).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

test("accepts zero and the empty string as ids", () => {
  expect(readRpc({ id: 0, method: "ask", params: {} })).toMatchObject({ kind: "request", id: 0 });
  expect(readRpc({ id: 0, result: {} })).toMatchObject({ kind: "result", id: 0 });
  expect(readRpc({ id: "", result: {} })).toMatchObject({ kind: "result", id: "" });
});

test("reads an error without an id and with any shape", () => {
  expect(readRpc({ error: "broken" })).toEqual({ kind: "error", id: null, error: { code: -32603, message: "broken" } });
  expect(readRpc({ id: 1, error: { code: 5, message: "m", data: [1] } })).toMatchObject({ error: { data: [1] } });
});

test("accepts any value without throwing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const message = readRpc(value);
      expect(message === undefined || typeof message.kind === "string").toBe(true);
    }),
  );
  for (const value of [undefined, null, 1, "x", [], {}, { id: {} }, { result: 1 }])
    expect(readRpc(value)).toBeUndefined();
});
