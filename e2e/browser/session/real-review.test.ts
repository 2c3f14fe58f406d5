import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { panel, showTab } from "../workbench/panel.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder, encoding: "utf8" }).trim();
const lanes = async () => (await bench.client.call("listLanes", { query: { cwd: bench.folder } })).lanes;

/** A script outside of the repository, which stands for the work of an agent. */
function script(name: string, text: string): string {
  const path = join(bench.home, name);
  writeFileSync(path, text);
  return path;
}

async function startInLane(name: string, work: string): Promise<Session> {
  const lane = await bench.client.call("createLane", { body: { cwd: bench.folder, name } });
  const prompt = `[[script:${script(`${name}.sh`, work)}]] Work on ${name}`;
  const session = await bench.client.sessions.create({ agent: "scripted", lane: lane.id, prompt, mode: "full-auto" });
  await bench.waitForState(session.id, "idle");
  await eventually("the checkpoint", async () => (await bench.client.turns.list(session.id))[0]?.checkpoint.after);
  return session;
}

async function comment(page: Page, line: number, path: string, text: string): Promise<void> {
  await panel(page)
    .getByRole("button", { name: `Comment on line ${line} of ${path}`, exact: true })
    .click();
  await panel(page)
    .getByRole("textbox", { name: `Comment on ${path}, line ${line}` })
    .fill(text);
  await page.keyboard.press("Control+Enter");
  await panel(page)
    .getByRole("article", { name: `Comment on ${path}, line ${line}` })
    .getByText("Open")
    .waitFor();
}

async function messages(session: string): Promise<string[]> {
  const { events } = await bench.client.sessions.events(session, { limit: 1000 });
  return events.flatMap(({ type, data }) => (type === "message.user" ? [JSON.stringify(data)] : []));
}

describe.skipIf(!CHROMIUM.met)("a review in the page", needs(CHROMIUM), () => {
  it("takes two agents in lanes from changes over comments to landed commits, and cleans up", async () => {
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    const [zones, express] = [
      await startInLane("zones", "printf 'export const zone = 1;\\nexport const factor = 2;\\n' > src/zones.ts"),
      await startInLane("express", "printf 'export const express = 9;\\n' > src/express.ts"),
    ];

    const page = await bench.page(`/s/${zones.id}`);
    await showTab(page, "Changes");
    await comment(page, 2, "src/zones.ts", "Call it zoneFactor.");
    const fix = script("fix.sh", "sed -i 's/factor/zoneFactor/' src/zones.ts");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill(`[[script:${fix}]] Please see my comments.`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await panel(page).getByRole("article").getByText("Resolved").waitFor();
    expect((await messages(zones.id)).filter((text) => text.includes("Call it zoneFactor."))).toHaveLength(1);
    await bench.waitForState(zones.id, "idle");

    await panel(page).getByRole("button", { name: "Commit…" }).click();
    const commit = page.getByRole("dialog", { name: /^Commit/ });
    await commit.getByRole("textbox", { name: "Message" }).fill("Add zones");
    await commit.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed [0-9a-f]{10}\.$/).waitFor();
    await landAndRemove(page);
    expect(git("show", "main:src/zones.ts")).toContain("zoneFactor");

    await page.goto(`${bench.url}/s/${express.id}`);
    await showTab(page, "Changes");
    await comment(page, 1, "src/express.ts", "Nine is too much.");
    const lower = script("lower.sh", "sed -i 's/9/7/' src/express.ts");
    await page
      .getByRole("textbox", { name: "Message", exact: true })
      .fill(`[[script:${lower}]] Please see my comments.`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await panel(page).getByRole("article").getByText("Resolved").waitFor();
    await bench.waitForState(express.id, "idle");
    await landAndRemove(page);
    expect(git("show", "main:src/express.ts")).toBe("export const express = 7;");
    expect((await lanes()).filter(({ kind }) => kind === "worktree")).toEqual([]);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "--format=%s")).toContain("Add zones");
    expect(existsSync(join(bench.folder, "src/zones.ts"))).toBe(true);
  });

  async function landAndRemove(page: Page): Promise<void> {
    await panel(page).getByRole("button", { name: "Land…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Land / });
    await dialog.getByRole("checkbox", { name: "Remove the lane after landing" }).check();
    await dialog.getByRole("button", { name: "Land on main" }).click();
    await page.getByText(/^Landed .* on main\.$/).waitFor();
    await dialog.waitFor({ state: "detached" });
  }

  it("loses no comment when the daemon is killed, and sends none twice", async () => {
    writeFileSync(join(bench.folder, "script.sh"), "echo one > one.txt");
    const session = await bench.session("[[script]] go", { mode: "full-auto" });
    await bench.waitForState(session.id, "idle");
    await eventually("the checkpoint", async () => (await bench.client.turns.list(session.id))[0]?.checkpoint.after);
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Changes");
    await comment(page, 1, "one.txt", "Survive this.");
    await bench.kill();
    await bench.start();
    const card = panel(page).getByRole("article", { name: "Comment on one.txt, line 1" });
    await card.getByText("Open").waitFor();
    expect(await bench.client.comments.list(session.id)).toMatchObject([{ text: "Survive this.", state: "open" }]);

    // The daemon is killed as soon as it has the message; the page sends it again if it got no answer.
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[slow:20:50]] please");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await eventually("the message is in the log", async () => (await messages(session.id)).length === 2);
    await bench.kill();
    await bench.start();
    await eventually("the turn has ended", async () => (await bench.client.sessions.get(session.id)).turns === 2);
    await bench.waitForState(session.id, "idle");
    await bench.client.sessions.send(session.id, { text: "[[text]] another message" });
    await eventually("all messages", async () => (await messages(session.id)).length === 3);
    expect((await messages(session.id)).filter((text) => text.includes("Survive this."))).toHaveLength(1);
    await card.getByText("Sent").waitFor();
    expect(readFileSync(join(bench.folder, "one.txt"), "utf8")).toBe("one\n");
  });
});
