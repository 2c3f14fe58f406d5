import { describe, expect, it } from "vitest";
import { Offer } from "../agents/offer.ts";
import { failure, offerIn } from "../failures/make-failure.ts";
import { failureRemedies } from "../failures/remedies.ts";
import type { FailureCategory } from "../failures/schema.ts";
import { type ErrorCode, errorTable } from "./codes.ts";
import { errorIn, GantryError } from "./gantry-error.ts";
import { ApiError } from "./schema.ts";

describe("errors", () => {
  it("carry the status of their code and go over the wire as they are", () => {
    for (const code of Object.keys(errorTable) as ErrorCode[]) {
      const error = new GantryError(code, "what happened", { remedy: "what to do", details: { a: 1 } });
      expect(error.status).toBe(errorTable[code]);
      const received = ApiError.parse(JSON.parse(JSON.stringify(error)));
      expect(received).toEqual({ error: { code, message: "what happened", remedy: "what to do", details: { a: 1 } } });
    }
  });

  it("are errors like any other", () => {
    const error = new GantryError("conflict", "taken");
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe("GantryError: taken");
    expect(JSON.stringify(error)).toBe('{"error":{"code":"conflict","message":"taken"}}');
  });
});

describe("failures", () => {
  it("have a remedy each, and a better one where it is known", () => {
    for (const category of Object.keys(failureRemedies) as FailureCategory[])
      expect(failure(category, "x").remedy).toBe(failureRemedies[category]);
    expect(failure("auth", "x", "run `login`").remedy).toBe("run `login`");
  });

  it("report whether the same request may succeed later", () => {
    const retryable = (Object.keys(failureRemedies) as FailureCategory[]).filter(
      (category) => failure(category, "x").retryable,
    );
    expect(retryable).toEqual(["rate_limit", "network", "overloaded", "timeout", "crashed"]);
  });
});

it("reads an error back as it was sent, and nothing else as one", () => {
  const sent = new GantryError("conflict", "No.", { remedy: "Yes.", details: { a: 1 } });
  expect(errorIn(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
  for (const body of [undefined, null, 1, "x", [], {}, { error: "x" }, { error: { code: "toString", message: "x" } }])
    expect(errorIn(body)).toBeUndefined();
  expect(errorIn({ error: { code: "conflict" } })).toBeUndefined();
});

it("finds an offer in an error's details as its schema would", () => {
  const offer = { kind: "login", agent: "claude", title: "Log in", command: ["claude"], display: "claude" };
  const wrong = [
    ...Object.keys(offer).map((key) => ({ ...offer, [key]: undefined })),
    { ...offer, kind: "other" },
    { ...offer, command: [] },
    { ...offer, command: [1] },
    { ...offer, env: "A" },
    null,
    "login",
  ];
  for (const given of [offer, { ...offer, env: ["A"] }, ...wrong]) {
    expect(offerIn({ offer: given })).toEqual(Offer.safeParse(given).data);
  }
  expect([offerIn(undefined), offerIn(null), offerIn({})]).toEqual([undefined, undefined, undefined]);
});
