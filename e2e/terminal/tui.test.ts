import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import { needs, TMUX } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "../robustness/daemon-home.ts";
import { TmuxScreen } from "./tmux-screen.ts";

let home: DaemonHome;
let client: Client;
let screen: TmuxScreen | undefined;

beforeAll(async () => {
  home = new DaemonHome();
  client = await home.start();
});
afterAll(() => home.dispose());
afterEach(() => {
  screen?.close();
  screen = undefined;
});

function open(args: readonly string[], size: { width?: number; height?: number } = {}): TmuxScreen {
  screen = new TmuxScreen(args, { env: home.env, cwd: home.cwd, ...size });
  return screen;
}

async function session(prompt: string, mode = "full-auto"): Promise<string> {
  const { id } = await client.sessions.create({ agent: "scripted", mode: mode as "ask", cwd: home.cwd, prompt });
  return id;
}

const settled = (id: string) =>
  eventually("the end of the turn", async () => {
    const { turn, lastTurn } = await client.sessions.get(id);
    return !turn && lastTurn !== undefined;
  });

describe.runIf(TMUX.met)("the full-screen program", needs(TMUX), () => {
  it("groups sessions by state, opens one, answers a request of 500 lines and shows the result", async () => {
    const id = await session("[[lines:500]] go", "ask");
    await eventually("the request", async () => (await client.sessions.get(id)).inputs.length === 1);
    const tui = open(["tui"]);
    const list = await tui.shows("Needs you · approval");
    expect(list).toContain("Needs you 1 · Working 0");
    tui.press("i");
    await tui.shows("1 + line 1");
    tui.press("End");
    await tui.shows("500 + line 500");
    tui.press("y");
    await tui.shows("Nothing waits for you.");
    tui.press("Escape");
    await tui.shows("↵ open");
    tui.press("Enter");
    const opened = await tui.shows("Done: the lines are written.");
    expect(opened).toContain("✓ allowed");
  });

  it("sends a paste of 1,000 lines in full and shows it as one chip", async () => {
    const id = await session("[[text]]");
    await settled(id);
    const tui = open(["tui", id]);
    await tui.shows("The answer is 42.");
    const pasted = Array.from({ length: 1000 }, (_, index) => `pasted ${index}`).join("\n");
    tui.paste(pasted);
    await tui.shows("[paste #1 +1000 lines]");
    tui.press("Enter");
    await eventually("the message", async () => {
      const { events } = await client.sessions.events(id);
      return events.some((event) => event.type === "message.user" && event.data.text.trim() === pasted);
    });
  });

  it("streams while the window is resized, at 80 by 24 and at 250 by 70, and uses little CPU", async () => {
    const id = await session("[[text]]");
    await settled(id);
    const tui = open(["tui", id]);
    await tui.shows("The answer is 42.");
    tui.type("[[slow:1500:5]]");
    tui.press("Enter");
    await tui.shows(/word\d+/);
    const started = { cpu: tui.cpuSeconds, at: performance.now() };
    tui.resize(250, 70);
    await eventually("the wide screen", () => tui.rows.length > 60 && tui.rows.some((row) => row.length > 200));
    tui.resize(60, 20);
    await eventually("the narrow screen", () => tui.rows.length <= 21 && tui.rows.every((row) => row.length <= 60));
    tui.resize(80, 24);
    await tui.shows("word1499");
    const share = (tui.cpuSeconds - started.cpu) / ((performance.now() - started.at) / 1000);
    await tui.shows("✓ completed");
    expect(share).toBeLessThan(0.5);
  });

  it("reconnects when the daemon is killed and started again", async () => {
    const id = await session("[[text]]");
    await settled(id);
    const tui = open(["tui", id]);
    await tui.shows("The answer is 42.");
    await home.daemon?.kill();
    client = await home.start();
    tui.type("[[say:back again]]");
    tui.press("Enter");
    await tui.shows("back again");
    await tui.shows(/completed[\s\S]*completed/);
  });

  it("finds sessions by the palette, lists commands with descriptions and shows the usage", async () => {
    const id = await session("[[text]] a palette entry");
    await settled(id);
    const tui = open(["tui"], { width: 120, height: 40 });
    await tui.shows("a palette entry");
    tui.press("C-p");
    await tui.shows("Commands and sessions");
    tui.type("palette");
    await tui.shows("> palette");
    tui.press("Enter");
    await tui.shows("The answer is 42.");
    tui.type("/");
    await tui.shows("read the changes and comment on lines");
    tui.type("usa");
    tui.press("C-c");
    tui.press("Escape");
    // Escape and a letter in one read are Alt and the letter, so wait for the list.
    await tui.shows("a archive");
    tui.press("u");
    await tui.shows("CACHED");
  });

  it("reviews changes and comments on a line", async () => {
    const cwd = mkdtempSync(join(home.cwd, "review-"));
    const git = (...args: string[]) => execFileSync("git", ["-C", cwd, ...args]);
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "start");
    const { id } = await client.sessions.create({ agent: "scripted", mode: "full-auto", cwd, prompt: "[[edit]]" });
    await settled(id);
    const tui = open(["tui", id], { width: 120, height: 40 });
    await tui.shows("Done: edit.txt edited.");
    tui.press("C-r");
    await tui.shows("edit.txt");
    await tui.shows("FIRST line");
    tui.press("Tab", "c");
    await tui.shows("Comment on edit.txt:1");
    tui.type("why in capitals?");
    tui.press("Enter");
    await tui.shows("✎ why in capitals? (open)");
    expect(await client.comments.list(id)).toMatchObject([{ path: "edit.txt", line: 1, text: "why in capitals?" }]);
  });

  it("leaves the terminal as it was", async () => {
    const tui = open(["tui"]);
    await tui.shows("Sessions");
    tui.press("q");
    await tui.shows("Pane is dead (status 0");
  });
});

describe.runIf(TMUX.met)("attach", needs(TMUX), () => {
  it("writes finished rows to the scrollback once, also when the window is resized", async () => {
    const id = await session("[[lines:500]] go", "ask");
    const attached = open(["attach", id], { width: 100 });
    await attached.shows("y once");
    attached.resize(90, 30);
    attached.resize(100, 24);
    attached.type("y");
    attached.press("Enter");
    await attached.shows("Done: the lines are written.");
    const rows = attached.scrollback.split("\n");
    for (const line of [1, 250, 500])
      expect(rows.filter((row) => row.endsWith(` ${line} + line ${line}`))).toHaveLength(1);
    attached.press("C-d");
    await attached.shows("Detached; the session keeps running.");
  });
});

describe.runIf(TMUX.met)("the plain program", needs(TMUX), () => {
  it("lists sessions by number and opens one, without moving the cursor", async () => {
    const id = await session("[[text]] plain");
    await settled(id);
    const plain = open(["tui", "--plain"], { width: 120 });
    await plain.shows("Number to open");
    const line = plain.rows.find((row) => row.includes("[[text]] plain"));
    plain.type(/^(\d+)\./.exec(line ?? "")?.[1] ?? "");
    plain.press("Enter");
    await plain.shows("The answer is 42.");
    plain.type("[[say:read aloud]]");
    plain.press("Enter");
    await plain.shows(/^read aloud$/m);
    plain.type("/quit");
    plain.press("Enter");
    await plain.shows("Pane is dead (status 0");
  });
});

describe.runIf(TMUX.met)("a session of 100,000 events", needs(TMUX), () => {
  it("opens at its end without loading all of it, and loads earlier events on request", async () => {
    const id = await session("[[burst:100000]] many");
    await settled(id);
    const tui = open(["tui", id]);
    await tui.shows("✓ completed");
    const { events } = await client.sessions.events(id, { tail: 1 });
    expect(events[0]?.seq).toBeGreaterThan(100_000);
    for (let page = 0; page < 3; page++) tui.press("PPage");
    await tui.shows("earlier events");
  });
});
