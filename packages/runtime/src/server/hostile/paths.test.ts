import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorCode, errorTable } from "@gantry/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, json, refusalOf, startServer, type TestServer } from "../testing/server.harness.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-page-"));
const pageDir = join(folder, "page");
let server: TestServer;

beforeAll(async () => {
  mkdirSync(join(pageDir, "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "keep out");
  writeFileSync(join(pageDir, "index.html"), "<!doctype html><title>Page</title><script>1</script>");
  writeFileSync(join(pageDir, "assets", "app.js"), "export {};");
  writeFileSync(join(pageDir, ".env"), "KEY=1");
  symlinkSync(join(folder, "secret.txt"), join(pageDir, "link.txt"));
  symlinkSync(folder, join(pageDir, "up"));
  server = await startServer({ pageDir });
  server.service.add("ses_a");
});
afterAll(async () => {
  await server.server.close();
  rmSync(folder, { recursive: true });
});
const refusal = (answer: Answer) => refusalOf(server, answer);

describe("paths that lead elsewhere", () => {
  const escapes = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/....//secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "//etc/passwd",
    "/%00",
    "/link.txt",
    "/up/secret.txt",
    "/.env",
    "/assets",
    "/assets/",
    "/index.html%00.js",
    "/%zz",
    "/constructor",
    "/__proto__",
  ];
  for (const path of escapes) {
    it(`finds nothing at ${path}`, async () => {
      expect(refusal(await server.ask(path))).toBe("not_found");
    });
  }

  it("serves the page and its files, with a strict policy", async () => {
    const page = await server.askBare("/s/ses_a");
    expect(page.text).toContain("<title>Page</title>");
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self' 'sha256-[^;]+'/);
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    const script = await server.askBare("/assets/app.js");
    expect([script.headers["content-type"], script.text]).toEqual(["text/javascript; charset=utf-8", "export {};"]);
  });

  it("answers 404 for a file of an earlier page, also without a credential", async () => {
    const gone = await server.askBare("/assets/first-view-0000.js");
    expect([gone.status, refusal(gone)]).toEqual([404, "not_found"]);
  });

  it("follows no link that has taken a file's place", async () => {
    rmSync(join(pageDir, "assets", "app.js"));
    symlinkSync(join(folder, "secret.txt"), join(pageDir, "assets", "app.js"));
    expect(refusal(await server.ask("/assets/app.js"))).toBe("not_found");
  });

  const ids = [
    "..%2f..%2fx",
    "ses_",
    "ses_a%00",
    "ses_a%2fb",
    `ses_${"a".repeat(300)}`,
    "trn_a",
    "__proto__",
    "ses_%E2%80%A8",
    "%20",
    "ses_a'--",
  ];
  for (const id of ids) {
    it(`knows no session called ${id.slice(0, 30)}`, async () => {
      const code = refusal(await server.ask(`/v1/sessions/${id}/events`));
      expect(["no_such_session", "not_found"]).toContain(code);
    });
  }

  it.each([
    ["../secret.txt", "outside_folder"],
    ["%2e%2e%2fsecret.txt", "outside_folder"],
    ["/etc/passwd", "outside_folder"],
    ["/proc/self/environ", "outside_folder"],
    ["link.txt", "outside_folder"],
    ["up/secret.txt", "outside_folder"],
    ["assets", "invalid"],
    ["a%00b", "invalid"],
    ["nothing", "not_found"],
    ["", "invalid"],
  ])("shows no file at %s", async (path, code) => {
    server.service.add("ses_page", { cwd: realpathSync(pageDir) });
    const answer = await server.ask(`/v1/sessions/ses_page/file?path=${path}`);
    expect([answer.status, answer.json]).toMatchObject([errorTable[code as ErrorCode], { error: { code } }]);
    expect(answer.text).not.toContain("keep out");
    server.service.calls = [];
  });

  it("shows a page of a session as text that can do nothing", async () => {
    server.service.add("ses_page", { cwd: realpathSync(pageDir) });
    const { headers, text } = await server.ask("/v1/sessions/ses_page/file?path=index.html");
    expect(text).toContain("<script>");
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    expect((await server.askBare("/v1/sessions/ses_page/file?path=index.html")).status).toBe(401);
    server.service.calls = [];
  });

  it("knows nothing by a name that cannot be one", async () => {
    expect(refusal(await server.ask("/v1/sessions/ses_a/items/x"))).toBe("no_such_item");
    expect(refusal(await server.ask("/v1/sessions/ses_a/messages/x", { method: "DELETE" }))).toBe("no_such_message");
    expect(refusal(await server.ask("/v1/inputs/x", json({ decision: "allow" })))).toBe("no_such_input");
    expect(refusal(await server.ask("/v1/grants/x", { method: "DELETE" }))).toBe("no_such_grant");
  });
});
