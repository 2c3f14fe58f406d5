import { expect, it } from "vitest";
import { testRun } from "./tests-run.ts";

it.each([
  ["npm test", "npm test"],
  ["npm run test:unit -- --watch=false", "npm test"],
  ["pnpm test", "npm test"],
  ["CI=1 npx --yes vitest run src", "vitest"],
  ["cd packages/a && yarn test", "npm test"],
  ['bash -lc "cargo test --workspace"', "cargo test"],
  ["/bin/bash -lc 'cd x && go test ./...'", "go test"],
  ["timeout 60 python3 -m pytest -q", "pytest"],
  ["uv run pytest tests/", "pytest"],
  ["./gradlew :app:test", "gradle"],
  ["make -j4 check", "make test"],
  ["node --test", "node --test"],
  ["bundle exec rspec", "rspec"],
])("recognises that %s runs tests", (command, runner) => {
  expect(testRun(command)).toEqual({ runner, isConclusive: true });
});

it.each([
  "npm install",
  "cat test.txt",
  "git commit -m 'npm test'",
  "npm run testimonials",
  "echo pytest",
  "ls tests",
  "",
])("recognises that %s runs no tests", (command) => {
  expect(testRun(command)).toBeUndefined();
});

it.each([
  ["npm test | tail -20", false],
  ["npm test 2>&1 || true", false],
  ["npm test; echo done", false],
  ["npm test;", true],
  ["npm test && npm run build", true],
  ["set -o pipefail; npm test | tee log", true],
])("decides whether the exit code of %s is that of the tests: %s", (command, isConclusive) => {
  expect(testRun(command)?.isConclusive).toBe(isConclusive);
});
