import { join } from "node:path";
import { type Draft, draft } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { writeSession } from "../workbench/written-session.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const slider = (page: Page) => page.getByRole("slider", { name: "Event" });
const shownEvent = async (page: Page) => Number(await slider(page).inputValue());
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** A session with an approval, an edit and a second turn, and the numbers of its events. */
async function story() {
  const { id } = await bench.session("[[write]]", { title: "Story", mode: "ask" });
  const { inputs } = await bench.waitForState(id, "waiting");
  await bench.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
  await bench.waitForState(id, "idle");
  await bench.client.sessions.send(id, { text: "[[text]] the second turn" });
  await eventually("two turns", async () => {
    const { turns, state } = await bench.client.sessions.get(id);
    return turns === 2 && state === "idle";
  });
  await eventually("the last checkpoint", async () => (await bench.client.turns.list(id))[1]?.checkpoint.after);
  const { events } = await bench.client.sessions.events(id, { limit: 1000 });
  const seqOf = (type: string) => events.find((event) => event.type === type)?.seq ?? 0;
  return { id, events, asked: seqOf("input.requested"), ended: seqOf("turn.ended") };
}

/** A log of 100,000 events: 1,000 turns of a message, a plan and 47 commands each. */
function* longLog(): Generator<Draft> {
  for (let n = 0; n < 1000; n++) {
    const turn = `trn_${String(n).padStart(4, "0")}`;
    yield draft("turn.started", { trigger: "user", messages: [] }, { turn });
    yield draft("message.user", { message: `msg_${n}`, text: `Question ${n}` });
    yield draft("message.delivery", { message: `msg_${n}`, state: "delivered" });
    yield draft("plan.updated", { entries: [{ text: `Step ${n}`, status: "in_progress" }] }, { turn });
    for (let step = 0; step < 47; step++) {
      const item = `itm_${n}_${step}`;
      yield draft("tool.started", { item, name: "bash", kind: "execute", title: `ls ${step}` }, { turn });
      yield draft("tool.ended", { item, status: "ok", output: "file.txt\n".repeat(40) }, { turn });
    }
    yield draft("message.done", { item: `itm_${n}`, text: `Answer ${n}` }, { turn });
    yield draft("turn.ended", { outcome: "completed", usage: { input: 1, output: 1 } }, { turn });
  }
}

describe.skipIf(!CHROMIUM.met)("time travel", needs(CHROMIUM), () => {
  it("shows transcript, plan, files and requests at any event, by keyboard and pointer", async () => {
    const { id, asked, ended, events } = await story();
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("log", { name: "Transcript" }).getByText("the second turn").first().waitFor();
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Time travel" }).click();
    await slider(page).waitFor();
    expect(await shownEvent(page)).toBeGreaterThanOrEqual(events.length);
    expect(await page.getByRole("textbox", { name: "Message", exact: true }).count()).toBe(0);
    // By the address: the moment of the request.
    await page.goto(`${bench.url}/s/${id}?past#${asked}`);
    await eventually("the slider", async () => (await shownEvent(page)) === asked);
    const log = page.getByRole("log", { name: "Transcript" });
    await log.getByRole("region", { name: /^Pending at this moment/ }).waitFor();
    expect(await log.getByText("the second turn").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Allow", exact: true }).count()).toBe(0);
    await part(page, "Pending requests").getByText("Write hello.txt").waitFor();
    await part(page, "State")
      .getByText(/Needs you/)
      .first()
      .waitFor();
    await part(page, "Files")
      .getByText(/may have changed them since/)
      .waitFor();
    await takePictures(page, "time-travel");
    // Steps by event and by turn.
    await slider(page).focus();
    await page.keyboard.press("ArrowRight");
    await eventually("the next event", async () => (await shownEvent(page)) === asked + 1);
    await page.keyboard.press("PageUp");
    const second = (await bench.client.turns.list(id))[1]?.seq ?? 0;
    await eventually("the next turn", async () => (await shownEvent(page)) === second);
    await page.getByRole("button", { name: "Previous turn" }).click();
    await eventually("the first turn", async () => (await shownEvent(page)) < asked);
    // The address follows, so that a reload and a link open the same moment.
    await page.goto(`${bench.url}/s/${id}?past#${ended}`);
    const changed = part(page, "Files").getByRole("button", { name: /hello\.txt/ });
    await changed.waitFor();
    await part(page, "Pending requests").getByText("No request was pending.").waitFor();
    await changed.click();
    await page.getByRole("dialog", { name: "hello.txt" }).getByText("hello world").waitFor();
    await page.keyboard.press("Escape");
    await log.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(`**/s/${id}?past#${ended - 1}`);
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/s/${id}`);
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await page.close();
  });

  it("copies a link that opens the same moment", async () => {
    const { id, asked } = await story();
    const page = await bench.page(`/s/${id}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${bench.url}/s/${id}?past#${asked}`);
    await page.getByRole("button", { name: "Copy a link to this moment" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${bench.url}/s/${id}?past#${asked}`);
    await page.goto("about:blank");
    await page.goto(link);
    await eventually("the slider", async () => (await shownEvent(page)) === asked);
    await part(page, "Pending requests").getByText("Write hello.txt").waitFor();
    // Without the query the same event is marked in the live transcript; `t` goes to its moment.
    await page.goto(`${bench.url}/s/${id}#${asked}`);
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await page.getByRole("log", { name: "Transcript" }).focus();
    await page.keyboard.press("t");
    await page.waitForURL(`**/s/${id}?past#${asked}`);
    await page.close();
  });

  it("forks a session from a moment, to the same or another agent", async () => {
    const { id, ended, asked } = await story();
    const page = await bench.page(`/s/${id}`);
    await page.goto(`${bench.url}/s/${id}?past#${ended}`);
    await page.getByRole("button", { name: "Fork from here…" }).click();
    const dialog = page.getByRole("dialog", { name: "Fork from here" });
    await dialog.getByRole("combobox", { name: "Agent" }).waitFor();
    expect(await dialog.getByRole("combobox", { name: "Agent" }).locator("option").count()).toBeGreaterThan(1);
    await takePictures(page, "time-travel-fork");
    await dialog.getByRole("button", { name: /^Fork to / }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.includes(id));
    const fork = page.url().split("/s/")[1] ?? "";
    expect(await bench.client.sessions.get(fork)).toMatchObject({ origin: "fork", parent: id, forkedAt: ended });
    // Inside of the first turn only its end is offered.
    await page.goto(`${bench.url}/s/${id}?past#${asked}`);
    await page.getByRole("button", { name: "Fork from here…" }).click();
    await dialog.getByText("After turn 1, which contains this event").waitFor({ state: "attached" });
    await page.close();
  });

  it("works by touch on a phone, without overflow", async () => {
    const { id, asked } = await story();
    const page = await bench.page(`/s/${id}`, { viewport: { width: 390, height: 844 }, touch: true });
    await page.goto(`${bench.url}/s/${id}?past#${asked}`);
    await slider(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Previous event" }).tap();
    await eventually("the event before", async () => (await shownEvent(page)) === asked - 1);
    const bar = await slider(page).boundingBox();
    await page.touchscreen.tap((bar?.x ?? 0) + (bar?.width ?? 0) - 4, (bar?.y ?? 0) + (bar?.height ?? 0) / 2);
    await eventually("a tap near the end", async () => (await shownEvent(page)) > asked + 5);
    await page.getByRole("tab", { name: "State, plan and files" }).tap();
    await part(page, "Files").waitFor();
    await page.close();
  });

  it("has no accessibility violations in light and dark at three widths", async () => {
    const { id, asked } = await story();
    const page = await bench.page(`/s/${id}`);
    await page.goto(`${bench.url}/s/${id}?past#${asked}`);
    await part(page, "Pending requests").getByText("Write hello.txt").waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [390, 1440, 2560]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await listViolations(page, "main")).toEqual([]);
      }
    await page.close();
  });

  it("moves through a session of 100,000 events while the daemon serves others", async () => {
    await bench.kill();
    writeSession(join(bench.home, "gantry"), { id: "ses_long", title: "Long", cwd: bench.folder }, longLog());
    await bench.start();
    const time = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return Math.round(performance.now() - start);
    };
    const at = (seq: number) => time(() => bench.client.sessions.at("ses_long", seq));
    let isFolding = true;
    const cold = at(100_000).finally(() => {
      isFolding = false;
    });
    const others: number[] = [];
    while (isFolding) others.push(await time(() => bench.client.health()));
    expect(others.length).toBeGreaterThan(3);
    const warm = [await at(99_999), await at(50_500), await at(12_345)];
    const figures = `first ${await cold} ms, then ${warm.join(", ")} ms, ${others.length} other requests meanwhile, the slowest ${Math.max(...others)} ms`;
    console.log(`100,000 events: ${figures}`);
    expect(Math.max(...warm)).toBeLessThan(await cold);
    const page = await bench.page("/s/ses_long");
    await page.goto(`${bench.url}/s/ses_long?past#50003`);
    await page.getByRole("log", { name: "Transcript" }).getByText("Question 500", { exact: true }).waitFor();
    await part(page, "Plan").getByText("Step 499").waitFor();
    await slider(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await part(page, "Plan").getByText("Step 500").waitFor();
    await page.keyboard.press("Home");
    await eventually("the start", async () => (await shownEvent(page)) === 1);
    await part(page, "Plan").getByText("No plan yet.").waitFor();
    await page.keyboard.press("End");
    await part(page, "Plan").getByText("Step 999").waitFor();
    await page.close();
  });
});
