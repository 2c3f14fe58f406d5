import { describe, expect, it } from "vitest";
import { framePolicy, loosenPolicy } from "./policy.ts";

const scripts = "http://localhost:4567/__gantry/";
const loosen = (policy: string) => loosenPolicy(policy, { scripts, nonce: "N", ancestors: [] });

describe("a target's policy", () => {
  it("gets the inspector's scripts besides what it allows", () => {
    expect(loosen("default-src 'none'; script-src 'self' cdn.example")).toBe(
      `default-src 'none'; script-src 'self' cdn.example ${scripts}`,
    );
  });

  it("keeps inline code working where it was: a nonce would switch it off", () => {
    expect(loosen("script-src 'self' 'unsafe-inline'")).toBe(`script-src 'self' 'unsafe-inline' ${scripts}`);
  });

  it("gets a nonce where an address alone counts for nothing", () => {
    expect(loosen("script-src 'strict-dynamic' 'nonce-abc'")).toBe(
      `script-src 'strict-dynamic' 'nonce-abc' 'nonce-N' ${scripts}`,
    );
    expect(loosen("script-src 'sha256-abc='")).toContain("'nonce-N'");
  });

  it("is loosened for scripts alone where default-src ruled them", () => {
    expect(loosen("default-src 'self'; img-src *")).toBe(`default-src 'self'; img-src *; script-src 'self' ${scripts}`);
    expect(loosen("default-src 'none'")).toBe(`default-src 'none'; script-src ${scripts}`);
  });

  it("is loosened where elements have a separate rule", () => {
    expect(loosen("script-src 'none'; script-src-elem 'self'")).toBe(
      `script-src 'none'; script-src-elem 'self' ${scripts}`,
    );
  });

  it("does not restrict scripts if it did not before", () => {
    expect(loosen("img-src 'self';; UPGRADE-insecure-requests ;")).toBe("img-src 'self'; upgrade-insecure-requests");
  });

  it("loses frame-ancestors in each of several policies", () => {
    expect(loosen("frame-ancestors 'none'")).toBe("");
    expect(loosen("frame-ancestors 'self'; img-src *, frame-ancestors 'none', script-src 'none'")).toBe(
      `img-src *, script-src ${scripts}`,
    );
  });
});

it("lets the page frame a document, and nothing while there is no page", () => {
  expect(framePolicy(["http://127.0.0.1:1", "http://localhost:1"])).toBe(
    "frame-ancestors http://127.0.0.1:1 http://localhost:1",
  );
  expect(framePolicy([])).toBe("frame-ancestors 'none'");
});
