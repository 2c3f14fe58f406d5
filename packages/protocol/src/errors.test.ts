import { describe, expect, it } from "vitest";
import { ApiError, type ErrorCode, errorTable, GantryError } from "./errors.ts";
import { type FailureCategory, failure, failureRemedies } from "./failures.ts";

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

  it("say whether the same request may work the next time", () => {
    const retryable = (Object.keys(failureRemedies) as FailureCategory[]).filter(
      (category) => failure(category, "x").retryable,
    );
    expect(retryable).toEqual(["rate_limit", "network", "overloaded", "timeout", "crashed"]);
  });
});
