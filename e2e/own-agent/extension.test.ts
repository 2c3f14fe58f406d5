import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";

const EXAMPLE = join(import.meta.dirname, "../../docs/user/examples/notes.ts");

test("a session of the daemon has the tools and commands of the user's extensions", async () => {
  const [target] = gantryTargets;
  if (!target?.own) throw new Error("there is no target");
  const { own } = target;
  const environment = (home: string, modelUrl: string) => {
    const env = own.environment(home, modelUrl);
    mkdirSync(join(env.GANTRY_AGENT_DIR ?? "", "extensions"));
    mkdirSync(join(env.GANTRY_AGENT_DIR ?? "", "commands"));
    copyFileSync(EXAMPLE, join(env.GANTRY_AGENT_DIR ?? "", "extensions/notes.ts"));
    writeFileSync(join(env.GANTRY_AGENT_DIR ?? "", "commands/greet.md"), "[[text]] greet $ARGUMENTS");
    return env;
  };
  const bench = await openBench({ ...target, own: { environment } });
  const conversation = await bench.session({ mode: "auto-edit" });
  await conversation.runTurn("[[tool:note]] please");
  expect(readFileSync(join(bench.folder, "NOTES.md"), "utf8")).toBe("- from the model\n");
  const { commands = [] } = await bench.client.sessions.get(conversation.id);
  expect(commands).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "notes", hint: "[ask|confirm]" }),
      expect.objectContaining({ name: "greet" }),
    ]),
  );
  const requests = bench.modelRequests().length;
  await conversation.runTurn("/notes");
  expect(JSON.stringify(conversation.events)).toContain("- from the model\\n");
  expect(bench.modelRequests()).toHaveLength(requests);
  await conversation.runTurn("/greet the keeper");
  expect(bench.modelRequests().at(-1)).toContain("greet the keeper");
  await conversation.runTurn("/notes ask");
  expect(bench.modelRequests().at(-1)).toContain("Summarise NOTES.md");
});
