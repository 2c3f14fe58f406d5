import { expect, it } from "vitest";
import type { Model } from "../../model.ts";
import { finalHeaders } from "./headers.ts";

const key = { kind: "key", key: "secret" } as const;

it("sends the key only in Authorization with authHeader, and the file's headers override it", () => {
  const own = { "x-api-key": "secret", accept: "x" };
  const plain = finalHeaders(own, {} as Model, key);
  expect(plain).toEqual({ "user-agent": "gantry", ...own });
  const wanted = finalHeaders(own, { authHeader: true } as Model, key);
  expect(wanted).toEqual({ "user-agent": "gantry", accept: "x", authorization: "Bearer secret" });
  const headers = finalHeaders(
    own,
    { authHeader: true, headers: { Authorization: "Basic abc" } } as unknown as Model,
    key,
  );
  expect(headers.authorization).toBe("Basic abc");
  expect(finalHeaders({}, { authHeader: true } as Model, { kind: "none" })).toEqual({ "user-agent": "gantry" });
});
