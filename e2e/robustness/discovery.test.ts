import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "./daemon-home.ts";

let place: DaemonHome;
beforeEach(() => {
  place = new DaemonHome();
});
afterEach(() => place.dispose());

const file = () => join(place.home, "daemon.json");
const serving = () => processesOf(place.root).filter(({ command }) => / serve\b/.test(command));

describe("a daemon that is alive", () => {
  it.each<[what: string, damage: () => void]>([
    ["deleted", () => rmSync(file())],
    ["emptied", () => writeFileSync(file(), "")],
    ["garbage", () => writeFileSync(file(), "}{ not json \0")],
    [
      "of another process and port",
      () =>
        writeFileSync(
          file(),
          JSON.stringify({ pid: 1, port: 1, url: "http://127.0.0.1:1", version: "0", startedAt: "" }),
        ),
    ],
    [
      "replaced by a folder",
      () => {
        rmSync(file());
        mkdirSync(file());
      },
    ],
  ])("is found when daemon.json is %s, and writes the file again", async (_, damage) => {
    await place.start();
    const { pid } = place;
    const text = readFileSync(file(), "utf8");
    damage();
    const { status, stderr, ms } = await place.run("ls");
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(ms).toBeLessThan(10_000);
    expect(readFileSync(file(), "utf8")).toBe(text);
    expect(serving().map((one) => one.pid)).toEqual([pid]);
  });

  it("that is suspended is named within two seconds, and the command ends with 3", async () => {
    await place.start();
    const { pid } = place;
    process.kill(pid, "SIGSTOP");
    try {
      const [ls, status, stop] = await Promise.all([place.run("ls"), place.run("status"), place.run("stop")]);
      for (const result of [ls, status, stop]) {
        expect(result.status).toBe(3);
        expect(result.stderr).toContain(`process ${pid}`);
        expect(result.stderr).toContain("suspended");
        expect(result.stderr).toContain(`kill -CONT ${pid}`);
      }
      expect(ls.ms).toBeLessThan(60_000);
      // The command waits for 15 s and reports that long before.
      expect(ls.firstNoteMs).toBeLessThan(ls.ms - 10_000);
      const json = await place.run("ls", "--json");
      expect(json.status).toBe(3);
      expect(json.stdout + json.stderr).toContain("daemon_silent");
      expect(serving().map((one) => one.pid)).toEqual([pid]);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect((await place.run("ls")).status).toBe(0);
  });

  it("answers a command that waited for it to be resumed", async () => {
    await place.start();
    const { pid } = place;
    process.kill(pid, "SIGSTOP");
    const waiting = place.run("ls");
    setTimeout(() => process.kill(pid, "SIGCONT"), 3000);
    expect((await waiting).status).toBe(0);
  });
});

describe("a daemon.json that a killed daemon left", () => {
  it("is not trusted when another program has its port: the token is not sent there", async () => {
    await place.start();
    const left = JSON.parse(readFileSync(file(), "utf8")) as Record<string, unknown>;
    await place.daemon?.kill();
    const requests: { url?: string; authorization?: string }[] = [];
    const impostor = createServer((request, response) => {
      requests.push({ url: request.url, authorization: request.headers.authorization });
      response.end(JSON.stringify({ ok: true, sessions: [], version: "x", uptimeMs: 1 }));
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    const { port } = impostor.address() as AddressInfo;
    // The process id belongs to another process by now.
    writeFileSync(file(), JSON.stringify({ ...left, pid: process.pid, port, url: `http://127.0.0.1:${port}` }));
    try {
      const { status } = await place.run("ls");
      expect(status).toBe(0);
      expect(requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
      expect(place.pid).not.toBe(process.pid);
    } finally {
      impostor.close();
      await place.run("stop");
    }
    await eventually("the end of the daemon", () => !existsSync(file()));
  });
});
