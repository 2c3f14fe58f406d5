/** Test runners by their common names. A command starts with one, after its wrappers. */
const RUNNERS: readonly [name: string, pattern: RegExp][] = [
  ["npm test", /^(npm|pnpm|yarn|bun)( run)? (test|t|tst)(?=[\s:]|$)/],
  ["node --test", /^node( \S+)* --test\b/],
  ["vitest", /^vitest\b/],
  ["jest", /^jest\b/],
  ["mocha", /^mocha\b/],
  ["ava", /^ava\b/],
  ["tap", /^(tap|tape)\b/],
  ["playwright", /^playwright test\b/],
  ["cypress", /^cypress run\b/],
  ["deno test", /^deno test\b/],
  ["pytest", /^(py\.test|pytest|python[\d.]* -m pytest)\b/],
  ["unittest", /^python[\d.]* -m unittest\b/],
  ["django", /^(python[\d.]* )?(\.\/)?manage\.py test\b/],
  ["tox", /^(tox|nox)\b/],
  ["cargo test", /^cargo( \+\S+)? (test|nextest run|t)\b/],
  ["go test", /^(go test|gotestsum)\b/],
  ["maven", /^(\.\/)?mvnw?( \S+)* (test|verify)\b/],
  ["gradle", /^(\.\/)?gradlew?( \S+)* (\S*:)?(test|check)\b/],
  ["sbt", /^sbt( \S+)* "?test/],
  ["dotnet test", /^dotnet test\b/],
  ["rspec", /^(bin\/)?rspec\b/],
  ["rails test", /^(bin\/)?(rails|rake) (test|spec)\b/],
  ["minitest", /^ruby -I ?\S*test\S* /],
  ["phpunit", /^(\.\/)?(vendor\/bin\/)?(phpunit|pest)\b/],
  ["composer test", /^composer( run)? test\b/],
  ["mix test", /^mix test\b/],
  ["swift test", /^swift test\b/],
  ["xcodebuild", /^xcodebuild( \S+)* test\b/],
  ["ctest", /^ctest\b/],
  ["make test", /^(make|gmake|ninja|just|task)( \S+)* (test|tests|check)\b/],
  ["bazel test", /^(bazel|bazelisk) test\b/],
  ["zig test", /^zig (test|build test)\b/],
  ["flutter test", /^(flutter|dart) test\b/],
  ["cabal test", /^(cabal|stack) test\b/],
  ["prove", /^prove\b/],
  ["bats", /^bats\b/],
];

/** Wrappers before a command. */
const WRAPPERS =
  /^(?:(?:sudo|time|nice|command|exec|env)(?: -\S+)*|timeout(?: -\S+)* \S+|npx(?: -\S+)*|bunx|pnpm (?:exec|dlx)|yarn (?:run|exec)(?= (?:vitest|jest|mocha|ava|playwright))|(?:poetry|uv|pipenv|hatch|rye|pdm) run|bundle exec|[A-Za-z_]\w*=\S*) +/;

export type TestRun = {
  runner: string;
  /** Whether the exit code is that of the tests. It is not behind a pipe or before another command. */
  isConclusive: boolean;
};

/** The test runner of a command. Also searches `bash -c` and each part of a compound command. */
export function testRun(command: string): TestRun | undefined {
  const line = unwrapShell(command.trim());
  const parts = line.split(/(\|\||&&|[;|\n])/).map((part) => part.trim());
  for (let i = 0; i < parts.length; i += 2) {
    const runner = runnerOf(parts[i] ?? "");
    if (!runner) continue;
    const after = parts.slice(i + 1).filter((_, at) => at % 2 === 0 && (parts[i + 2 + at] ?? "") !== "");
    const safe =
      after.every((joint) => joint === "&&") || (/pipefail/.test(line) && after.every((joint) => joint === "|"));
    return { runner, isConclusive: safe };
  }
  return undefined;
}

function runnerOf(part: string): string | undefined {
  let bare = part.replace(/^[({\s]+/, "");
  for (let next = bare.replace(WRAPPERS, ""); next !== bare; next = bare.replace(WRAPPERS, "")) bare = next;
  return RUNNERS.find(([, pattern]) => pattern.test(bare))?.[0];
}

function unwrapShell(command: string): string {
  const [, , inner] = /^(?:\/\S*\/)?(?:ba|z|da)?sh(?: -\w+)* -\w*c\w* +(["']?)([\s\S]*)\1$/.exec(command) ?? [];
  return inner === undefined ? command : inner.trim();
}
