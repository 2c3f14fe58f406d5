import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});
afterEach(async () => {
  await bench?.revive();
  // Leave no pending input for the next test.
  const { sessions } = (await bench?.client.sessions.list()) ?? { sessions: [] };
  for (const { id } of sessions) await bench.client.sessions.delete(id);
});

const inbox = (page: Page) => page.getByRole("region", { name: "Inbox", exact: true });
const groups = (page: Page) => inbox(page).getByRole("group");
const press = (page: Page, name: string) => inbox(page).getByRole("button", { name, exact: true }).click();

/** A session with a pending input. The agent chooses the title of the input. */
async function createPending(prompt: string, title = prompt): Promise<string> {
  const { id } = await bench.session(prompt, { title });
  await bench.waitForState(id, "waiting");
  return id;
}

async function events(id: string) {
  return (await bench.client.sessions.events(id, { limit: 10_000 })).events;
}

async function resolutions(id: string) {
  return (await events(id)).flatMap((event) => (event.type === "input.resolved" ? [event.data] : []));
}

const expectTitle = (page: Page, title: string) =>
  eventually(`the page title is ${title}`, async () => (await page.title()) === title);
const file = (name: string) => readFileSync(join(bench.folder, name), "utf8");

describe.skipIf(!CHROMIUM.met)("the inbox", needs(CHROMIUM), () => {
  it("shows the requested command and allows it", async () => {
    writeFileSync(join(bench.folder, "removed.txt"), "old");
    const page = await bench.page("/inbox");
    await inbox(page).getByText("Nothing needs you").waitFor();
    const id = await createPending("[[remove]]", "Runs something");
    await groups(page).getByText("$ rm -f removed.txt").waitFor();
    await groups(page).getByText("Scripted agent").waitFor();
    await groups(page).getByText("Runs a command").waitFor();
    await expectTitle(page, "(1) Inbox · Gantry");
    await press(page, "Allow");
    await bench.waitForState(id, "idle");
    await inbox(page).getByText("Nothing needs you").waitFor();
    expect(existsSync(join(bench.folder, "removed.txt"))).toBe(false);
    await expectTitle(page, "Inbox · Gantry");
    await page.context().close();
  });

  it("allows for the session within a stated scope and revokes it", async () => {
    const page = await bench.page("/inbox");
    const id = await createPending("[[write]]", "Writes twice");
    await inbox(page).getByText(`files in ${bench.folder}`).waitFor();
    await press(page, "Allow for this session");
    await page.getByRole("status").getByText(`Allowed for this session: files in ${bench.folder}`).waitFor();
    await bench.waitForState(id, "idle");
    await bench.client.sessions.send(id, { text: "[[write]]" });
    const [first, second] = await eventually("the second one is settled", async () => {
      const settled = await resolutions(id);
      return settled.length === 2 ? settled : undefined;
    });
    expect(first).toMatchObject({ decision: "allow_session", by: "user" });
    const [grant] = await bench.client.grants();
    expect(second).toMatchObject({ decision: "allow", by: `grant:${grant?.id}` });
    await page.getByRole("button", { name: "Revoke" }).click();
    await eventually("the permission is gone", async () => (await bench.client.grants()).length === 0);
    await page.context().close();
  });

  it("denies with feedback that reaches the agent, by keyboard alone", async () => {
    const page = await bench.page("/inbox");
    const id = await createPending("[[remove]]", "Removes");
    await inbox(page).getByRole("group").waitFor();
    await page.keyboard.press("d");
    await inbox(page).getByRole("textbox", { name: "Feedback to the agent" }).waitFor();
    await page.keyboard.type("leave the file alone");
    await page.keyboard.press("Enter");
    await bench.waitForState(id, "idle");
    expect(await resolutions(id)).toMatchObject([{ decision: "deny", message: "leave the file alone" }]);
    const ended = (await events(id)).find((event) => event.type === "tool.ended");
    expect(ended?.data).toMatchObject({ status: "denied" });
    expect(JSON.stringify(ended?.data)).toContain("leave the file alone");
    await page.context().close();
  });

  it("edits the tool's input before allowing", async () => {
    const page = await bench.page("/inbox");
    const id = await createPending("[[write]]", "Writes");
    await inbox(page).getByRole("button", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("e");
    await inbox(page).getByRole("textbox", { name: "content" }).fill("written by hand\n");
    await press(page, "Allow");
    await bench.waitForState(id, "idle");
    expect(file("hello.txt")).toBe("written by hand\n");
    await page.context().close();
  });

  it("shows the oldest request first and is answered by keyboard", async () => {
    const question = await createPending("[[ask]]", "A question");
    const write = await createPending("[[write]]", "A file");
    const command = await createPending("[[remove]]", "A command");
    const page = await bench.page("/inbox");
    await eventually("three wait", async () => (await groups(page).count()) === 3);
    const sessions = await inbox(page).getByRole("listitem").getByRole("link").allTextContents();
    expect(sessions).toEqual(["A question", "A file", "A command"]);
    await page.keyboard.press("n");
    await bench.waitForState(question, "idle");
    await eventually("two wait", async () => (await groups(page).count()) === 2);
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("y");
    await bench.waitForState(write, "idle");
    expect(await resolutions(question)).toMatchObject([{ decision: "deny" }]);
    expect(await resolutions(write)).toMatchObject([{ decision: "allow" }]);
    await eventually("one waits", async () => (await groups(page).count()) === 1);
    await page.keyboard.press("o");
    await page.waitForURL(`**/s/${command}`);
    await bench.client.sessions.interrupt(command);
    await bench.waitForState(command, "idle");
    await page.context().close();
  });

  it("answers one question with an option and another with free text", async () => {
    const page = await bench.page("/inbox");
    const chosen = await createPending("[[ask]]", "Choose");
    await inbox(page).getByRole("radio", { name: "Blue" }).check();
    await press(page, "Answer");
    await bench.waitForState(chosen, "idle");
    expect(await resolutions(chosen)).toMatchObject([{ decision: "allow", answers: { q1: "Blue" } }]);
    const written = await createPending("[[ask]]", "Write");
    await inbox(page).getByRole("textbox", { name: "Which colour?" }).fill("Green");
    await page.keyboard.press("Enter");
    await bench.waitForState(written, "idle");
    expect(await resolutions(written)).toMatchObject([{ decision: "allow", answers: { q1: "Green" } }]);
    await page.context().close();
  });

  it("approves a plan", async () => {
    const page = await bench.page("/inbox");
    const id = await createPending("[[plan]]");
    await inbox(page).getByText("do it").waitFor();
    await press(page, "Allow");
    await bench.waitForState(id, "idle");
    expect(await resolutions(id)).toMatchObject([{ decision: "allow" }]);
    await page.context().close();
  });

  it("informs the second client that the first has already answered", async () => {
    const id = await createPending("[[write]]", "Contested");
    const first = await bench.page("/inbox");
    const second = await bench.page("/inbox");
    const third = await bench.tab(first.context(), "/inbox");
    for (const page of [first, second, third]) await groups(page).waitFor();
    // The second tab's answer is delayed until the first tab's answer has been accepted.
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await second.route("**/v1/inputs/*", async (route) => [await held, await route.continue()]);
    await press(second, "Deny");
    await press(first, "Allow");
    await bench.waitForState(id, "idle");
    release();
    const note = (page: Page) => page.getByRole("status").getByText("Answered elsewhere: allowed by you");
    await note(second).waitFor();
    await note(third).waitFor();
    for (const page of [first, second, third]) expect(await groups(page).count()).toBe(0);
    expect(await note(first).count()).toBe(0);
    expect(await resolutions(id)).toMatchObject([{ decision: "allow" }]);
    for (const page of [first, second]) await page.context().close();
  });

  it("can be answered when a lazy part of the page fails to load", async () => {
    const id = await createPending("[[write]]", "Shown in part");
    const page = await bench.page("/agents");
    let refused = 0;
    await page.context().route("**/diff-view*.js", (route) => [refused++, route.abort()]);
    await page.goto(`${bench.url}/inbox`);
    await eventually("the diff view failed to load", async () => refused > 0);
    await page.context().unroute("**/diff-view*.js");
    await press(page, "Allow");
    await bench.waitForState(id, "idle");
    await inbox(page).getByText("Nothing needs you").waitFor();
    await page.context().close();
  });

  it("stores an answer while the daemon is down", async () => {
    const id = await createPending("[[write]]", "Answered in the dark");
    const page = await bench.page("/inbox");
    await groups(page).waitFor();
    await bench.kill();
    await page.getByRole("alert").waitFor();
    await press(page, "Allow");
    await inbox(page).getByText("Your answer is saved").waitFor();
    await bench.start();
    await bench.waitForState(id, "idle");
    expect(await resolutions(id)).toMatchObject([{ decision: "allow" }]);
    await inbox(page).getByText("Nothing needs you").waitFor();
    await page.context().close();
  });
});
