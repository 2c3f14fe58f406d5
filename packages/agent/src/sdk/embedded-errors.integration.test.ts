import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SdkWorld } from "./testing/world.ts";

const INDEX = join(import.meta.dirname, "../index.ts");
/** An extension that throws in a timer after the file `go` exists. */
const EXTENSION = `import { existsSync } from "node:fs";
export default (gantry) => {
  const timer = setInterval(() => {
    if (!existsSync(gantry.cwd + "/go")) return;
    clearInterval(timer);
    throw new Error("error of the extension");
  }, 10);
  return () => clearInterval(timer);
};
`;

let world: SdkWorld;
beforeEach(async () => {
  world = await SdkWorld.make();
  mkdirSync(join(world.agentDir, "extensions"));
  writeFileSync(join(world.agentDir, "extensions/mine.js"), EXTENSION);
});
afterEach(() => world.close());

/** Runs a program with two sessions. Resolves to what it printed and its status. */
async function runProgram(script: string) {
  const options = { cwd: world.cwd, model: "queued/small", store: "memory" };
  const text = `import { createAgentSession } from ${JSON.stringify(INDEX)};
    import { writeFileSync } from "node:fs";
    const options = ${JSON.stringify(options)};
    const [{ session }, { session: other }] = [await createAgentSession(options), await createAgentSession(options)];
    ${script}`;
  const file = join(world.home, "program.mjs");
  writeFileSync(file, text);
  const done = promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
    env: world.env as NodeJS.ProcessEnv,
  });
  return await done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

it("ends the program at its own uncaught error, although extensions are loaded", async () => {
  const { code, stdout, stderr } = await runProgram(`
    setTimeout(() => { throw new Error("error of the program"); }, 1);
    setTimeout(() => { console.log("continued"); process.exit(0); }, 2_000);`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("error of the program");
});

it("leaves an uncaught error to the listener of the program", async () => {
  const { code, stdout } = await runProgram(`
    process.on("uncaughtException", (error) => { console.log(error.message); process.exit(7); });
    setTimeout(() => { throw new Error("error of the program"); }, 1);`);
  expect({ code, stdout }).toEqual({ code: 7, stdout: "error of the program\n" });
});

it("reports an error in the background work of an extension, and the program continues", async () => {
  const { code, stdout } = await runProgram(`
    const seen = Promise.withResolvers();
    for (const each of [session, other]) each.on("notice", ({ message }) => seen.resolve(message));
    writeFileSync(options.cwd + "/go", "");
    console.log(await seen.promise);
    console.log((await session.prompt("hello")).text);
    await session.dispose();
    await other.dispose();`);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "The extension mine failed (background work): error of the extension\nDone.\n",
  });
});
