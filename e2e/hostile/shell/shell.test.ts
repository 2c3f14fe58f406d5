import { needs, SANDBOX } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { runInJail, whyNoJail } from "./jail.ts";
import { PROBES } from "./probes.ts";

const STEP = 12;
const missing = whyNoJail();
/** Effects of every kind, to see that the jail finds them. */
const CONTROLS = [
  "touch pwned",
  "./canary",
  `node -e 'console.log(require("fs").readFileSync("../.net" + "rc", "utf8"))'`,
  "curl -s http://127.0.0.1:PORT/; node -e 'fetch(\"http://127.0.0.1:PORT\")'",
  "chmod 600 a.txt",
  "git -C nested status",
];

describe("the shell part of the hostile suite", () => {
  it("has at least 450 different probes", () => {
    expect(new Set(PROBES.map(({ command }) => command)).size).toBe(PROBES.length);
    expect(PROBES.length).toBeGreaterThan(450);
  });
});

describe.skipIf(missing !== undefined)("shell probes in plan mode", needs(SANDBOX), () => {
  const sample = PROBES.filter((_, at) => at % STEP === 0).map(({ command }) => command);

  it.each(["required", "off"] as const)("have no effect with sandbox: %s", async (sandbox) => {
    const effects = await runInJail(sample, { sandbox, mode: "plan" });
    expect([...effects].map(([at, effect]) => `${sample[at]}: ${effect}`)).toEqual([]);
  });

  it("would be noticed: the same kinds of commands have effects where the mode allows them", async () => {
    const effects = await runInJail(CONTROLS, { sandbox: "off", mode: "full-auto" });
    expect([...effects.keys()].sort()).toEqual(CONTROLS.map((_, at) => at));
  });
});
