import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Offer } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listProcesses } from "../process/identity.ts";
import type { StopTarget } from "../process/stop.ts";
import { endTerminals, Terminals } from "./terminals.ts";

const DEADLINE = { timeout: 30_000, interval: 20 };
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gantry-terminals-")));
const install: Offer = {
  kind: "install",
  agent: "alpha",
  title: "Install Alpha",
  command: ["/bin/sh", "-c", "echo installing; exit 3"],
  display: "echo installing; exit 3",
};

let terminals: Terminals;
let left: StopTarget[] = [];
let offered: string[] = [];
let count = 0;

beforeEach(() => {
  left = [];
  offered = [];
  terminals = new Terminals({
    env: { PATH: process.env.PATH ?? "", HOME: cwd, SHELL: "/bin/sh", PS1: "> " },
    id: () => `trm_test${process.pid}x${count++}`,
    now: () => new Date().toISOString(),
    session: () => ({ cwd, env: { OF_SESSION: "yes" } }),
    folder: (folder) => folder,
    offers: async (agent) => ({ offers: agent === "alpha" ? [install] : [], env: { OF_AGENT: "yes" } }),
    onOffered: (agent) => offered.push(agent),
    remember: (targets) => {
      left = targets;
    },
  });
});
afterEach(() => terminals.stop());

const script = (text: string) => ["/bin/sh", "-c", text];
const readOutput = (id: string) => terminals.feed(id).read(0, 1_000_000).bytes.toString();
const waitForExit = (id: string) => vi.waitFor(() => expect(terminals.get(id).state).toBe("exited"), DEADLINE);
const shows = (id: string, text: string) => vi.waitFor(() => expect(readOutput(id)).toContain(text), DEADLINE);

it("runs a command with the agents' environment in a terminal of the size that is wanted", async () => {
  const { id } = await terminals.open({
    session: "ses_a",
    command: script("stty size; pwd; echo $TERM $OF_SESSION $GANTRY_HOME; exit 7"),
    cols: 91,
    rows: 17,
  });
  await waitForExit(id);
  expect(terminals.get(id)).toMatchObject({ session: "ses_a", cwd, exit: { code: 7, signal: null }, cols: 91 });
  expect(readOutput(id).split("\r\n")).toEqual(["17 91", cwd, "xterm-256color yes", ""]);
});

it("takes what is typed, and another size", async () => {
  const { id } = await terminals.open({ command: script("read line; echo got $line; read line; stty size") });
  terminals.type(id, "héllo\r");
  await shows(id, "got héllo");
  expect(terminals.resize(id, { cols: 132, rows: 50 })).toMatchObject({ cols: 132, rows: 50 });
  terminals.type(id, "\r");
  await shows(id, "50 132");
  await waitForExit(id);
  expect(() => terminals.type(id, "x")).toThrow(expect.objectContaining({ code: "conflict" }));
});

it("is the user's login shell when nothing else is wanted", async () => {
  const { id, command } = await terminals.open({});
  expect(command).toEqual(["/bin/sh", "-l"]);
  terminals.type(id, "echo $((6 * 7))\r");
  await shows(id, "42");
});

it("runs the setup command of an agent and reports its end", async () => {
  const { id, command, offer } = await terminals.open({ offer: { agent: "alpha", kind: "install" } });
  expect({ command, offer }).toEqual({ command: install.command, offer: install });
  await waitForExit(id);
  expect(terminals.get(id).exit).toEqual({ code: 3, signal: null });
  await vi.waitFor(() => expect(offered).toEqual(["alpha"]), DEADLINE);
  await expect(terminals.open({ offer: { agent: "beta", kind: "login" } })).rejects.toMatchObject({
    code: "unsupported",
  });
});

it("ends with everything that it started, also what does not want to", async () => {
  const stubborn = "trap '' HUP TERM; sleep 1000 & setsid sleep 1000 & echo up; while :; do sleep 1; done";
  const { id } = await terminals.open({ command: script(stubborn) });
  await shows(id, "up");
  const mine = () => listProcesses().filter(({ marker }) => marker === id).length;
  await vi.waitFor(() => expect(mine()).toBeGreaterThan(2), DEADLINE);
  expect(left.map((target) => target.id)).toEqual([id]);
  await terminals.close(id);
  expect(mine()).toBe(0);
  expect(left).toEqual([]);
  expect(() => terminals.get(id)).toThrow(expect.objectContaining({ code: "no_such_terminal" }));
});

it("what a killed daemon left is ended by the next", async () => {
  const { id } = await terminals.open({ command: script("trap '' HUP; echo up; while :; do sleep 1; done") });
  await shows(id, "up");
  await endTerminals(left);
  expect(listProcesses().filter(({ marker }) => marker === id)).toEqual([]);
});

it("has room for so many and no more; those that have ended make room", async () => {
  const open = () => terminals.open({ command: ["cat"] });
  const made = await Promise.all(Array.from({ length: 16 }, open));
  await expect(open()).rejects.toMatchObject({ code: "too_many_terminals" });
  await terminals.close(made[0]?.id ?? "");
  await open();
  expect(terminals.list()).toHaveLength(16);
});

it("keeps a bounded end of a long output", async () => {
  const { id } = await terminals.open({ command: script("head -c 1000000 /dev/zero | tr '\\0' x; echo done") });
  await waitForExit(id);
  const { from, to } = terminals.get(id);
  expect(to).toBe(1_000_006);
  expect(to - from).toBe(256 * 1024);
  expect(readOutput(id).endsWith("xxxdone\r\n")).toBe(true);
});

it("opens the stream of one terminal once with a ticket", async () => {
  const [one, other] = await Promise.all([terminals.open({ command: ["cat"] }), terminals.open({ command: ["cat"] })]);
  const refused = expect.objectContaining({ code: "bad_ticket" });
  const { ticket } = terminals.ticket(one.id);
  terminals.redeem(one.id, ticket);
  expect(() => terminals.redeem(one.id, ticket)).toThrow(refused);
  const second = terminals.ticket(one.id);
  expect(() => terminals.redeem(other.id, second.ticket)).toThrow(refused);
  expect(() => terminals.redeem(one.id, second.ticket)).toThrow(refused);
  for (const guess of ["", "x", "a".repeat(32)]) expect(() => terminals.redeem(one.id, guess)).toThrow(refused);
  expect(() => terminals.ticket("trm_none")).toThrow(expect.objectContaining({ code: "no_such_terminal" }));
  expect(Date.parse(second.expiresAt) - Date.now()).toBeLessThan(31_000);
});
