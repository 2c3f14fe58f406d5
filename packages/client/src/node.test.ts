import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { discover } from "./node.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-home-"));
afterAll(() => rmSync(home, { recursive: true }));

it("finds the daemon of a home folder, and throws when there is none", () => {
  expect(() => discover(home)).toThrow("No daemon runs");
  writeFileSync(join(home, "daemon.json"), '{"pid":');
  writeFileSync(join(home, "token"), "secret\n");
  expect(() => discover(home)).toThrow("No daemon runs");
  const daemon = {
    pid: 1,
    port: 4000,
    url: "http://127.0.0.1:4000",
    version: "1",
    startedAt: "2026-01-01T00:00:00.000Z",
  };
  writeFileSync(join(home, "daemon.json"), JSON.stringify(daemon));
  expect(discover(home)).toEqual({ url: daemon.url, token: "secret", daemon });
});

it("leaves Node out of the entry that browsers load", () => {
  for (const file of ["index", "client", "call", "follow", "stream", "transport"])
    expect(readFileSync(join(import.meta.dirname, `${file}.ts`), "utf8")).not.toContain("node:");
});
