// `npm run editors`: drives Claude Code, Codex, OpenCode and Gantry's own agent through `gantry acp` with the official ACP client
// library (versions 1 and 2) and with acpx, on the scripted model. Compares the results with the recorded ones; `--update`
// records them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clients, type EditorRun, editorTargets, runEditor } from "../e2e/acp/matrix.ts";
import { useBundle } from "../e2e/harness/daemon-process.ts";
import { root } from "./steps.ts";

const FILE = join(root, "e2e/acp/results.gen.json");

const { values } = parseArgs({
  options: {
    agent: { type: "string", multiple: true },
    client: { type: "string", multiple: true },
    update: { type: "boolean", default: false },
    source: { type: "boolean", default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (!values.source) useBundle();
  const runs: EditorRun[] = [];
  for (const target of editorTargets(values.agent))
    for (const client of clients.filter((name) => values.client?.includes(name) ?? true)) {
      const { frames, ...run } = await runEditor(target, client);
      runs.push(run);
      if (values.update) writeFileSync(FILE, `${JSON.stringify(merge(readRecorded(), [run]), null, 2)}\n`);
      const checked = frames === undefined ? "" : `, ${frames} frames are valid`;
      process.stdout.write(`${run.result}  ${run.agent}, ${client}${checked}${run.why ? `\n  ${run.why}` : ""}\n`);
    }
  return runs.some(({ result }) => result === "failed") ? 1 : 0;
}

function readRecorded(): EditorRun[] {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as EditorRun[];
  } catch {
    return [];
  }
}

/** The new runs replace those of the same agent and client. */
function merge(old: readonly EditorRun[], runs: readonly EditorRun[]): EditorRun[] {
  const isReplaced = (one: EditorRun) => runs.some(({ agent, client }) => one.agent === agent && one.client === client);
  return [...old.filter((one) => !isReplaced(one)), ...runs].sort((a, b) =>
    `${a.agent} ${a.client}`.localeCompare(`${b.agent} ${b.client}`),
  );
}
