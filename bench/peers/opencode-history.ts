import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareEnvironment } from "../child.ts";

const SESSION = "ses_e1f0ec63fffeBenchBenchBenc";
const PARTS = 49;

/**
 * Imports one session of `count` message parts into a home folder with `opencode import`, in turns of a question and an
 * answer of 49 parts. Returns the session id. Throws if the import fails or takes longer than four minutes.
 */
export function importHistory(program: string, home: string, count: number, env: Record<string, string>): string {
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  const file = join(home, "history.json");
  writeFileSync(file, JSON.stringify(history(cwd, count)));
  const done = spawnSync(program, ["import", file], {
    cwd,
    env: { ...bareEnvironment(home, "import"), ...env },
    encoding: "utf8",
    timeout: 240_000,
  });
  if (done.status !== 0) throw new Error(`opencode import failed: ${(done.stderr || done.stdout).slice(-300)}`);
  return SESSION;
}

function history(cwd: string, count: number) {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  const time = { created: 1_767_225_600_000, updated: 1_767_225_600_000, completed: 1_767_225_600_000 };
  const common = { sessionID: SESSION, agent: "build", time };
  let made = 0;
  const id = (kind: string) => `${kind}_1e0f13b${(++made).toString(16).padStart(5, "0")}aaaaaaaaaaaaaa`;
  const part = (messageID: string, text: string) => ({
    type: "text",
    text,
    time: { start: 1, end: 2 },
    id: id("prt"),
    sessionID: SESSION,
    messageID,
  });
  const turn = (n: number) => {
    const question = id("msg");
    const asked = [part(question, `Question ${n}`)];
    const answer = id("msg");
    const model = { providerID: "bench", modelID: "stamped" };
    const parts = Array.from({ length: PARTS }, (_, index) =>
      part(answer, `Step ${n}.${index}: looked at it and continued.`),
    );
    const about = { ...common, ...model, mode: "build", path: { cwd, root: "/" }, cost: 0, tokens, finish: "stop" };
    return [
      { info: { ...common, id: question, role: "user", model, summary: { diffs: [] } }, parts: asked },
      { info: { ...about, id: answer, role: "assistant", parentID: question }, parts },
    ];
  };
  const info = {
    id: SESSION,
    slug: "long-session",
    projectID: "global",
    directory: cwd,
    title: "A long session",
    version: "1.18.33",
    time,
  };
  return { info, messages: Array.from({ length: Math.ceil(count / (PARTS + 1)) }, (_, n) => turn(n)).flat() };
}
