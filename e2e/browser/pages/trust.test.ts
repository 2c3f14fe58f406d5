import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
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
  for (const name of ["lsp.json", ".gantry"]) rmSync(join(bench.folder, name), { recursive: true, force: true });
  await bench.client.trust.revoke(bench.folder);
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder, encoding: "utf8" }).trim();
const plantServer = (args: string) => {
  const server = { command: "/bin/sh", args: ["-c", args], fileTypes: [".txt"], rootMarkers: ["."] };
  writeFileSync(join(bench.folder, "lsp.json"), JSON.stringify({ mine: server }));
};

describe.skipIf(!CHROMIUM.met)("trust", needs(CHROMIUM), () => {
  it("is asked about in a session with what would run, and not again for the same content after Not now", async () => {
    plantServer("echo one");
    const { id } = await bench.session("[[text]] hello");
    const page = await bench.page(`/s/${id}`);
    const question = page.getByRole("region", { name: "Trust", exact: true });
    await question.getByText("/bin/sh -c echo one").waitFor();
    await question.getByRole("button", { name: "Not now" }).click();
    await question.waitFor({ state: "detached" });
    expect(await bench.client.trust.list()).toEqual([]);
    await page.reload();
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    await page.waitForTimeout(1500);
    expect(await question.count()).toBe(0);
    plantServer("echo two");
    await page.reload();
    await question.getByText("/bin/sh -c echo two").waitFor();
    await question.getByRole("button", { name: "Trust", exact: true }).click();
    await question.waitFor({ state: "detached" });
    expect((await bench.client.trust.list()).map(({ path }) => path)).toEqual([bench.folder]);
    await page.close();
  });

  it("starts the set-up of a lane, and is revoked in the settings", async () => {
    mkdirSync(join(bench.folder, ".gantry"));
    writeFileSync(join(bench.folder, ".gantry/lane.yml"), "setup: echo ready > set-up\n");
    git("add", "-A");
    git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "set-up");
    const lane = await bench.client.lanes.create({ cwd: bench.folder, name: "first" });
    const page = await bench.page(`/lanes/${lane.id}`);
    const question = page.getByRole("region", { name: "Trust", exact: true });
    await question.getByText("echo ready > set-up").waitFor();
    expect(existsSync(join(lane.path, "set-up"))).toBe(false);
    await question.getByRole("button", { name: "Trust", exact: true }).click();
    await eventually("the set-up has run", () => existsSync(join(lane.path, "set-up")));
    await page.goto(new URL("/settings?tab=trust", page.url()).href);
    await page.getByRole("button", { name: `Revoke trust in ${bench.folder}` }).click();
    await page.getByText("No trusted folders").waitFor();
    expect(await bench.client.trust.list()).toEqual([]);
    await page.close();
  });
});
