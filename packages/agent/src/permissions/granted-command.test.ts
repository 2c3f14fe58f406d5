import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coversCommand } from "./granted-command.ts";

const GRANTED = [
  "git fetch origin",
  "npm test",
  "npm run build",
  "tar xf a.tar",
  "cargo test",
  "git commit -m x",
  "pip install x",
  "vitest run a",
];
const HARMFUL = [
  "--upload-pack=./x",
  "--upload-pack",
  "--script-shell=./x",
  "--to-command=./x",
  "-c",
  "-ofile",
  "--",
  "-",
];

describe("a grant for a command", () => {
  it("covers the same command and further plain operands", () => {
    for (const [granted, command] of [
      ["npm test", "npm test"],
      ["npm test", "npm test src/a.test.ts"],
      ["npm run build", "npm run build all"],
      ["git add src", "git add src docs/a.md"],
      ["npm test -- --run | tail -5", "npm test -- --run | tail -5"],
    ] as const)
      expect(coversCommand(granted, command), command).toBe(true);
  });

  it.each([
    ["npm test", "npm test -- --run"],
    ["npm test", "npm testing"],
    ["npm test", "npm test  --x"],
    ["npm test", "npm test && rm -rf /"],
    ["npm test", "npm test $(id)"],
    ["npm test", "npm test\nid"],
    ["npm test", "npm test\tx"],
    ["npm test", "npm test > f"],
    ["npm test", "npm test NODE_OPTIONS=-r./x"],
    ["npm test", "X=1 npm test"],
    ["npm run", "npm run deploy"],
    ["npm exec", "npm exec evil"],
    ["npx", "npx evil"],
    ["npx a", "npx a b"],
    ["make", "make deploy"],
    ["make test", "make test SHELL=./x"],
    ["bash", "bash x.sh"],
    ["node", "node x.js"],
    ["sudo", "sudo rm x"],
    ["env", "env rm x"],
    ["docker run a", "docker run a sh"],
    ["ssh host", "ssh host reboot"],
    ["git fetch origin", "git fetch origin ext::sh"],
    ["git fetch origin", "git fetch origin +main"],
    ["git commit -m", "git commit -m x"],
    ["git -c", "git -c x"],
    ["gcc a.c", "gcc a.c @options"],
    ["echo $x", "echo $x a"],
    ["echo 'a", "echo 'a b'"],
  ])("of %s does not cover %s", (granted, command) => expect(coversCommand(granted, command)).toBe(false));

  it("never covers a command with an option that it does not have", () => {
    const operand = fc.stringMatching(/^[a-z][a-z0-9./-]{0,8}$/);
    const option = fc.oneof(
      fc.constantFrom(...HARMFUL),
      fc.stringMatching(/^-{1,2}[A-Za-z][a-z-]{0,12}(=[a-z./]{1,6})?$/),
    );
    const quote = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `'${text}'`,
      (text) => `"${text}"`,
      (text) => `\\${text}`,
      (text) => `$'${text}'`,
      (text) => `""${text}`,
      (text) => `{${text},a}`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...GRANTED),
        fc.array(operand, { maxLength: 3 }),
        option,
        quote,
        fc.array(operand, { maxLength: 3 }),
        (granted, before, added, quoted, after) => {
          const command = [granted, ...before, quoted(added), ...after].join(" ");
          expect(coversCommand(granted, command), command).toBe(false);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("never covers a command with anything that bash expands, assigns or redirects", () => {
    const special = fc.constantFrom(..."$`<>|&;(){}*?[]~!#\\'\"=\n\t");
    fc.assert(
      fc.property(
        fc.constantFrom(...GRANTED),
        fc.stringMatching(/^[a-z]{0,5}$/),
        special,
        fc.stringMatching(/^[a-z]{0,5}$/),
        (granted, before, char, after) => {
          expect(coversCommand(granted, `${granted} ${before}${char}${after}`)).toBe(false);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
