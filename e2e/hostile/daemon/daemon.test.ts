import { expect, it } from "vitest";
import { daemonSuite } from "./suite.ts";

it("holds against every attack on files, variables and tickets", async () => {
  const { attacks, close } = await daemonSuite.open();
  try {
    expect(attacks.length).toBeGreaterThanOrEqual(30);
    const broken: string[] = [];
    for (const { name, run } of attacks) {
      const outcome = await run();
      if ("held" in outcome && !outcome.held) broken.push(`${name}: ${outcome.effect}`);
    }
    expect(broken).toEqual([]);
  } finally {
    await close();
  }
});
