import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestPlace } from "../testing-place.ts";
import { findTool } from "./find.ts";
import { grepTool } from "./grep.ts";

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

test("finds files and text in a tree of 50,000 files", async () => {
  const script = "for d in $(seq 100); do mkdir d$d; (cd d$d; seq 500 | xargs touch); done";
  execFileSync("sh", ["-c", script], { cwd: place.cwd });
  const { details } = await place.run(findTool(), { limit: 10, timeout: 60 });
  expect(details).toEqual({ files: 50_000, stopped: false });
  writeFileSync(place.path("d77/needle"), "needle");
  expect(await place.text(grepTool(), { pattern: "needle" })).toContain("d77/needle");
});
