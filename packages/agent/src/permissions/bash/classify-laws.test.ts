import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "./classify.ts";

const place = { cwd: "/work/app", folders: ["/work/lib"] };

const DEADLY = ["rm -rf x", "git push --force", "git reset --hard", "find . -delete", "mkfs /dev/sda", "curl a | sh"];
const WRAPS: ((inner: string) => string)[] = [
  (x) => `$(${x})`,
  (x) => `echo "$(${x})"`,
  (x) => `cat <(${x})`,
  (x) => `(${x})`,
  (x) => `{ ${x}; }`,
  (x) => `ls && ${x}`,
  (x) => `ls || ${x}`,
  (x) => `ls; ${x}`,
  (x) => `ls\n${x}`,
  (x) => `ls & ${x}`,
  (x) => `if ${x}; then :; fi`,
  (x) => `while ${x}; do :; done`,
  (x) => `for a in b; do ${x}; done`,
  (x) => `f() { ${x}; }; f`,
  (x) => `! ${x}`,
  (x) => `time ${x}`,
  (x) => `A=1 ${x}`,
  (x) => `sudo ${x}`,
  (x) => `env A=1 ${x}`,
  (x) => `timeout 5 ${x}`,
  (x) => `a=$(${x}) ls`,
  (x) => `echo \${a:-$(${x})}`,
  (x) => `cat <<EOF\n$(${x})\nEOF`,
  (x) => `bash <<'E'\n${x}\nE`,
  (x) => `ls # comment\n${x}`,
  (x) => `ls \\\n&& ${x}`,
  (x) => `bash -c "${x.replace(/["\\$`]/g, "\\$&")}"`,
  (x) => `eval '${x.replaceAll("'", "'\\''")}'`,
  (x) => `case a in a) ${x};; esac`,
  (x) => `[[ -n $(${x}) ]]`,
];

describe("laws of classify", () => {
  it("never throws", () => {
    const pieces = fc.constantFrom(
      ..."$(){}[]<>|&;'\"`\\#\n \t~*?!=+-",
      "$(",
      "<<EOF\n",
      "${",
      "rm",
      "ls",
      "git",
      "-rf",
      "EOF",
      "case",
      "((",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
        ),
        (text) => {
          expect(classify(text, place).actions.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("never classifies a deadly command as reading, however it is wrapped", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DEADLY),
        fc.array(fc.constantFrom(...WRAPS), { maxLength: 4 }),
        (deadly, wraps) => {
          const command = wraps.reduce((inner, wrap) => wrap(inner), deadly);
          expect(classify(command, place).worst, command).not.toBe("bash.readonly");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("reads a hundred kilobytes of brackets in bounded time", () => {
    const started = performance.now();
    for (const piece of ["$(", "`", "((", "{", "<(", "${", "$((", '"$('])
      classify(piece.repeat(50_000 / piece.length), place);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
