import { afterAll, beforeAll } from "vitest";
import { findChromium } from "./chromium.ts";
import { preparePage, Workbench } from "./workbench.ts";

/** Opens one workbench for all tests of a file and passes it to `take` before the first. None if there is no browser. */
export function useWorkbench(take: (bench: Workbench) => void): void {
  let bench: Workbench | undefined;
  beforeAll(async () => {
    if (!findChromium()) return;
    preparePage();
    bench = await Workbench.open();
    take(bench);
  }, 240_000);
  afterAll(() => bench?.close());
}
