import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, writeFakeAgent } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

/** A listed agent that is installed from npm, and whose program takes the arguments of any ACP agent. */
const LISTED = { id: "dimcode", npm: "dimcode" };

let bench: Workbench;
let folder: string;

beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  folder = mkdtempSync(join(realpathSync(tmpdir()), "gantry-registry-"));
  bench = await Workbench.open({ PATH: `${writeLocalNpm(folder)}:${process.env.PATH}` });
}, 240_000);
afterAll(async () => {
  await bench?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** An `npm` that runs the real one, with a package of this folder in place of the one from the network. */
function writeLocalNpm(root: string): string {
  const local = join(root, "package");
  mkdirSync(local);
  copyFileSync(writeFakeAgent({ dir: join(root, "agent"), dialect: "acp", pace: 1 }), join(local, "cli"));
  chmodSync(join(local, "cli"), 0o755);
  const about = { name: LISTED.npm, version: "1.0.0", bin: { [LISTED.npm]: "cli" } };
  writeFileSync(join(local, "package.json"), JSON.stringify(about));
  const real = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  const bin = join(root, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\n[ "$1" = install ] || exec ${real} "$@"\nexec ${real} install --prefix "$3" --offline --no-audit --no-fund ${local}\n`;
  writeFileSync(join(bin, "npm"), script);
  chmodSync(join(bin, "npm"), 0o755);
  return bin;
}

describe.skipIf(!CHROMIUM.met)("an agent of the public registry", needs(CHROMIUM), () => {
  it("is added from the list, installed in a terminal of the page, and works", async () => {
    const { agents } = await bench.client.profiles.available();
    const name = agents.find(({ id }) => id === LISTED.id)?.name ?? "";
    const page = await bench.page("/agents");
    const view = page.getByRole("region", { name: "Agents", exact: true });
    await view.getByText("Agents of the public registry").click();
    await takePictures(page, "registry");
    await view.getByRole("button", { name: `Add ${name}` }).click();
    await view
      .getByRole("region", { name: "More agents you can install" })
      .getByRole("button", { name: `Install ${name}` })
      .click();
    await page
      .getByRole("region", { name: "Terminal", exact: true })
      .getByText("The program has ended.")
      .waitFor({ timeout: 90_000 });
    await view
      .getByRole("article", { name, exact: true })
      .getByText("Ready", { exact: true })
      .waitFor({ timeout: 90_000 });
    expect(existsSync(join(bench.home, "gantry", "programs", LISTED.id, "node_modules", LISTED.npm))).toBe(true);
    await takePictures(page, "registry-installed");
    const { id } = await bench.session("[[text]] hello", { agent: LISTED.id, mode: "inherit" });
    expect((await bench.waitForState(id, "idle")).lastTurn?.outcome).toBe("completed");
    await page.context().close();
  }, 300_000);
});
