import { describe, expect, it } from "vitest";
import { parseTarget } from "../target.ts";
import { headersForBrowser, headersForTarget, headersOfChangedDocument } from "./headers.ts";

const target = parseTarget({ url: "http://localhost:5173/admin" }, new Set());
const own = "http://127.0.0.1:4567";
const loosening = { scripts: `${own}/__gantry/`, nonce: "N", ancestors: ["http://localhost:1"] };

describe("towards the target", () => {
  it("a request comes in the target's own name", () => {
    const sent = headersForTarget({ host: "127.0.0.1:4567", origin: own, referer: `${own}/a?b#c` }, own, target);
    expect(sent).toEqual({
      host: "localhost:5173",
      origin: "http://localhost:5173",
      referer: "http://localhost:5173/a?b",
    });
  });

  it("leaves a foreign origin unchanged instead of naming the target", () => {
    const sent = headersForTarget({ origin: "null", referer: "http://127.0.0.1:4260/s/ses_1" }, own, target);
    expect(sent).toEqual({ host: "localhost:5173", origin: "null" });
  });

  it("Gantry's cookie stays here, whatever stands around it", () => {
    const cookie = "a=1; gantry_session=x; gantry_session_2=b; gantry_session=y";
    expect(headersForTarget({ cookie }, own, target).cookie).toBe("a=1; gantry_session_2=b");
    expect(headersForTarget({ cookie: "gantry_session=x" }, own, target)).not.toHaveProperty("cookie");
  });
});

describe("towards the browser", () => {
  it("cookies work in a frame, and none takes the place of Gantry's", () => {
    const given = ["sid=1; Path=/; Domain=localhost; SameSite=Strict", "gantry_session=evil", "secure=1; Secure"];
    expect(headersForBrowser({ "set-cookie": given }, target, loosening)["set-cookie"]).toEqual([
      "sid=1; Path=/; SameSite=None; Secure; Partitioned",
      "secure=1; SameSite=None; Secure; Partitioned",
    ]);
  });

  it.each([
    ["http://localhost:5173/a?b#c", "/a?b#c"],
    ["http://127.0.0.1:5173/a", "/a"],
    ["//localhost:5173/a", "/a"],
    ["/a", "/a"],
    ["a", "a"],
    ["http://localhost:5174/a", "http://localhost:5174/a"],
    ["https://example.org/", "https://example.org/"],
    ["https://localhost:5173/", "https://localhost:5173/"],
    ["http://", "http://"],
  ])("a redirect to %s becomes %s", (location, expected) => {
    expect(headersForBrowser({ location }, target, loosening).location).toBe(expected);
  });

  it("nothing vouches for bytes that were changed", () => {
    const headers = { etag: "1", "content-length": "5", "content-encoding": "gzip", "x-app": "1" };
    expect(headersOfChangedDocument(headers)).toEqual({ "x-app": "1", "cache-control": "no-cache" });
  });
});
