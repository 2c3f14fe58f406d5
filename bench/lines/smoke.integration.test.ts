import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { marks, NODE, repository } from "../child.ts";
import { endMarked, type Line, makeContext } from "../context.ts";
import { isMet } from "../report/table.ts";
import { judge } from "../report/targets.ts";
import { acp } from "./events/acp.ts";
import { burst } from "./events/burst.ts";
import { quietSession } from "./events/quiet-session.ts";
import { replay } from "./events/replay.ts";
import { subscribers } from "./sizes/subscribers.ts";
import { cli } from "./starts/cli.ts";

const context = makeContext("smoke", []);

beforeAll(() => {
  // `npm run test:integration` has built it. A rebuild would take it away from tests that run at the same time.
  if (existsSync(join(repository, "dist/gantry/main.js"))) return;
  const [node = "", ...flags] = NODE;
  execFileSync(node, [...flags, join(repository, "scripts/build/bundle.ts")]);
});
afterAll(() => {
  for (const mark of marks) endMarked(mark);
  context.clean();
});

it.each<[string, Line]>([acp, burst, replay, quietSession, subscribers, cli].map((line) => [line.name, line]))(
  "measures %s with a real daemon, and counts every event",
  async (_, line) => {
    const section = await line.run(context);
    for (const row of section.rows) expect([row.what, typeof row.gantry]).toEqual([row.what, "number"]);
    for (const row of section.rows.filter(({ expected }) => expected !== undefined))
      expect([row.what, row.gantry, isMet(row)]).toEqual([row.what, row.expected, true]);
    for (const { row } of judge([section])) expect(section.rows.map(({ what }) => what)).toContain(row);
  },
);
