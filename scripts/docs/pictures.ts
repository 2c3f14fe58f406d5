// `npm run docs:pictures [name …]`: takes the pictures of the user documentation with a real daemon, the scripted agent and
// Chromium, and writes them to docs/user/pictures. Names select single pictures.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findChromium, HOW_TO_GET_ONE } from "../../e2e/browser/workbench/chromium.ts";
import { showTab } from "../../e2e/browser/workbench/panel.ts";
import { preparePage, Workbench } from "../../e2e/browser/workbench/workbench.ts";
import { eventually } from "../../e2e/harness/wait.ts";
import { root } from "../steps.ts";

const FOLDER = join(root, "docs/user/pictures");
const MAX_BYTES = 150_000;
const DESKTOP = { width: 1280, height: 800 };
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const TASK = "Round prices to ten cents";
const RATES = "export const rate = (kilograms: number) => 4.5 + kilograms * 1.1;\n";

type Picture = (bench: Workbench, project: string) => Promise<Page>;

const PICTURES: Readonly<Record<string, Picture>> = {
  session: async (bench, project) => openSession(bench, await startTask(bench, project), DESKTOP),
  phone: async (bench, project) => openSession(bench, await startTask(bench, project), PHONE),
  "phone-board": takePhoneBoard,
  "phone-settings": takePhoneSettings,
  inbox: takeInbox,
  turn: takeTurn,
  tiles: takeTiles,
  compare: takeComparison,
  "time-travel": takeTimeTravel,
  landing: takeLanding,
  project: takeProject,
  "project-board": takeProjectBoard,
  picker: takePicker,
  review: (bench, project) => takeReview(bench, project, WIDE),
  "review-phone": (bench, project) => takeReview(bench, project, PHONE),
  settings: async (bench) => openPage(bench, "/settings?tab=daemon", "Settings"),
};

if (!findChromium()) {
  process.stderr.write(`Chromium was not found. ${HOW_TO_GET_ONE}\n`);
  process.exit(3);
}
const names = process.argv.slice(2);
const unknown = names.find((name) => !PICTURES[name]);
if (unknown) {
  process.stderr.write(`There is no picture ${unknown}. Pictures: ${Object.keys(PICTURES).join(", ")}.\n`);
  process.exit(2);
}
preparePage();
mkdirSync(FOLDER, { recursive: true });
for (const [name, take] of Object.entries(PICTURES)) {
  if (names.length === 0 || names.includes(name)) await takePicture(name, take);
}

/** Takes one picture with a new daemon, so that no picture shows the sessions of another. */
async function takePicture(name: string, take: Picture): Promise<void> {
  const bench = await Workbench.open();
  try {
    const project = join(bench.home, "parcel-rates");
    execFileSync("git", ["clone", "--quiet", bench.folder, project]);
    for (const [key, value] of Object.entries({ "user.name": "Ada", "user.email": "ada@example.com" }))
      execFileSync("git", ["config", key, value], { cwd: project });
    const page = await take(bench, project);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(800);
    const path = join(FOLDER, `${name}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
    const { size } = statSync(path);
    process.stdout.write(`${name}.png: ${Math.round(size / 1000)} kB\n`);
    if (size > MAX_BYTES) throw new Error(`${name}.png is larger than ${MAX_BYTES / 1000} kB`);
  } finally {
    await bench.close();
  }
}

async function openPage(bench: Workbench, path: string, region: string, viewport = DESKTOP): Promise<Page> {
  const page = await bench.page(path, { viewport, touch: viewport === PHONE });
  await page.getByRole("region", { name: region, exact: true }).waitFor();
  return page;
}

async function openSession(bench: Workbench, id: string, viewport: typeof DESKTOP): Promise<Page> {
  const page = await bench.page(`/s/${id}`, { viewport, touch: viewport === PHONE });
  await page.getByRole("button", { name: "Allow", exact: true }).first().waitFor();
  return page;
}

/** Starts a session that waits for the approval of a change, and some others for the list of sessions. */
async function startTask(bench: Workbench, cwd: string): Promise<string> {
  for (const title of ["Review of the parser", "Explain the zones", "Find the slow query"]) {
    const { id } = await bench.session("[[text]]", { cwd, title });
    await bench.waitForState(id, "idle");
  }
  const { id } = await bench.session(TASK, { cwd, title: TASK });
  await bench.waitForState(id, "waiting");
  return id;
}

async function takePhoneBoard(bench: Workbench, cwd: string): Promise<Page> {
  await startTask(bench, cwd);
  const page = await openPage(bench, "/", "Board", PHONE);
  await page.getByRole("button", { name: "Allow", exact: true }).first().waitFor();
  return page;
}

/** Push notifications that are on, with one subscribed phone. Nothing is sent to it. */
async function takePhoneSettings(bench: Workbench): Promise<Page> {
  await bench.client.push.switch(true);
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url");
  const keys = { p256dh, auth: Buffer.alloc(16).toString("base64url") };
  const endpoint = "https://fcm.googleapis.com/fcm/send/example";
  await bench.client.push.subscribe({ name: "Chrome on Android", endpoint, keys });
  const page = await openPage(bench, "/settings?tab=phone", "Settings", PHONE);
  await page.getByRole("region", { name: "Subscribed browsers" }).waitFor();
  return page;
}

async function takeInbox(bench: Workbench, cwd: string): Promise<Page> {
  const prompts = { [TASK]: TASK, "Which colour?": "[[ask]]", "Clean up": "[[remove]]" };
  for (const [title, prompt] of Object.entries(prompts)) {
    const { id } = await bench.session(prompt, { cwd, title });
    await bench.waitForState(id, "waiting");
  }
  const page = await openPage(bench, "/inbox", "Inbox");
  await page.getByRole("button", { name: "Allow", exact: true }).first().waitFor();
  return page;
}

/** A completed turn with the files that it changed. */
async function takeTurn(bench: Workbench, cwd: string): Promise<Page> {
  const { id } = await bench.session(TASK, { cwd, title: TASK, mode: "full-auto" });
  await bench.waitForState(id, "idle");
  await eventually("the diff of the turn", async () => (await bench.client.turns.list(id))[0]?.diff);
  const page = await bench.page(`/s/${id}`, { viewport: DESKTOP });
  const log = page.getByRole("log", { name: "Transcript" });
  await log.getByText(/^Done in .*1 file/).click();
  await log.getByRole("button", { name: "Revert…" }).waitFor();
  return page;
}

/** The live transcripts of a launch side by side. One agent waits for an approval. */
async function takeTiles(bench: Workbench, cwd: string): Promise<Page> {
  const modes = ["ask", "full-auto", "full-auto"] as const;
  const slots = modes.map((mode) => ({ agent: "scripted", mode }));
  const { id } = await bench.client.launches.create({ prompt: TASK, cwd, slots, name: "round-prices" });
  const launch = await eventually("the sessions of the launch", async () => {
    const now = await bench.client.launches.get(id);
    return now.slots.every(({ status }) => status) ? now : undefined;
  });
  const [first, ...others] = launch.slots.map(({ session }) => session);
  await bench.waitForState(first ?? "", "waiting");
  for (const other of others) await bench.waitForState(other, "idle");
  const page = await bench.page(`/s/${[first, ...others].join("+")}`, { viewport: DESKTOP });
  await page.getByRole("button", { name: "Allow", exact: true }).first().waitFor();
  return page;
}

/** A session at the moment of a request that was answered later. */
async function takeTimeTravel(bench: Workbench, cwd: string): Promise<Page> {
  const id = await startTask(bench, cwd);
  const { inputs, lastSeq } = await bench.client.sessions.get(id);
  await bench.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
  await bench.waitForState(id, "idle");
  const page = await bench.page("/", { viewport: DESKTOP });
  await page.goto(`${bench.url}/s/${id}?past#${lastSeq}`);
  await page.getByRole("region", { name: /^Pending at this moment/ }).waitFor();
  return page;
}

/** Three agents solve one task in separate lanes. */
async function takeComparison(bench: Workbench, cwd: string): Promise<Page> {
  const slots = Array.from({ length: 3 }, () => ({ agent: "scripted", mode: "full-auto" as const }));
  const { id } = await bench.client.launches.create({ prompt: TASK, cwd, slots });
  const launch = await eventually("the end of the launch", async () => {
    const now = await bench.client.launches.get(id);
    return now.state === "settled" ? now : undefined;
  });
  const { lanes } = await bench.client.call("listLanes", { query: { cwd } });
  const solutions = [
    RATES.replace("4.5 + kilograms * 1.1", "Math.round((4.5 + kilograms * 1.1) * 10) / 10"),
    RATES.replace("4.5 + kilograms * 1.1", "Number((4.5 + kilograms * 1.1).toFixed(1))"),
    `const round = (price: number) => Math.round(price * 10) / 10;\n\n${RATES.replace("4.5 + kilograms * 1.1", "round(4.5 + kilograms * 1.1)")}`,
  ];
  for (const [index, slot] of launch.slots.entries()) {
    const lane = lanes.find(({ id: known }) => known === slot.lane);
    writeFileSync(join(lane?.path ?? "", "src/rates.ts"), solutions[index] ?? "");
  }
  const page = await bench.page(`/launches/${id}`, { viewport: DESKTOP });
  const files = page.getByRole("list", { name: "Files" });
  await files.getByRole("button", { name: /rates\.ts/ }).click();
  return page;
}

/** The changes of a lane with the dialog that lands them. */
async function takeLanding(bench: Workbench, cwd: string): Promise<Page> {
  const lane = await bench.client.call("createLane", { body: { cwd, name: "round-prices" } });
  writeFileSync(
    join(lane.path, "src/rates.ts"),
    RATES.replace("4.5 + kilograms * 1.1", "round(4.5 + kilograms * 1.1)"),
  );
  writeFileSync(
    join(lane.path, "src/round.ts"),
    "export const round = (price: number) => Math.round(price * 10) / 10;\n",
  );
  const page = await bench.page(`/lanes/${lane.id}`, { viewport: DESKTOP });
  await page.getByText("rates.ts").first().waitFor();
  await page.getByRole("button", { name: "Land…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("list", { name: "Conflicts" }).getByText("Merges cleanly").first().waitFor();
  return page;
}

/** A project with a name, defaults and commands. */
async function makeProject(bench: Workbench, project: string): Promise<string> {
  for (const title of [TASK, "Check the tariff of Norway", "Describe the API"])
    await bench.session("[[text]]", { cwd: project, title });
  await bench.session("[[text]]", { cwd: bench.folder, title: "Update the readme" });
  const { id } = await bench.client.projects.add({ path: project });
  const body = { name: "Parcel rates", color: "violet" as const, pinned: true };
  await bench.client.projects.change(id, { ...body, agent: "scripted", mode: "plan", check: "npm test" });
  return id;
}

async function takeProject(bench: Workbench, project: string): Promise<Page> {
  return openPage(bench, `/projects/${await makeProject(bench, project)}`, "Parcel rates");
}

async function takeProjectBoard(bench: Workbench, project: string): Promise<Page> {
  return openPage(bench, `/p/${await makeProject(bench, project)}`, "Board");
}

async function takePicker(bench: Workbench, project: string): Promise<Page> {
  await makeProject(bench, project);
  const page = await openPage(bench, "/new", "New session");
  await page.getByRole("combobox", { name: "Agent", exact: true }).getByText("Scripted agent").waitFor();
  await page.waitForTimeout(3000);
  await page.getByRole("combobox", { name: "Agent", exact: true }).click();
  return page;
}

/** The changes of a session with a comment and a staged file. */
async function takeReview(bench: Workbench, cwd: string, viewport: typeof DESKTOP): Promise<Page> {
  const script = join(bench.home, "change.sh");
  const round = "export const round = (price: number) => Math.round(price * 10) / 10;";
  writeFileSync(
    script,
    `sed -i 's/4.5 + kilograms \\* 1.1/round(4.5 + kilograms * 1.1)/' src/rates.ts; echo '${round}' > src/round.ts`,
  );
  const { id } = await bench.session(`[[script:${script}]]`, { cwd, title: TASK, mode: "full-auto" });
  await bench.waitForState(id, "idle");
  await eventually("the checkpoint", async () => (await bench.client.turns.list(id))[0]?.checkpoint.after);
  const text = "Is half a cent rounded up?";
  await bench.client.comments.add(id, { path: "src/round.ts", line: 1, side: "new", text });
  await bench.client.changes.stage(id, { paths: ["src/rates.ts"] });
  const page = await bench.page(`/s/${id}`, { viewport, touch: viewport === PHONE });
  await showTab(page, "Changes", { touch: viewport === PHONE });
  await page.getByText(text).first().waitFor();
  await page.getByText(/1 staged/).waitFor();
  return page;
}
