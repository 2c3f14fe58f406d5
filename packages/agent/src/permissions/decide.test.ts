import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, PermissionMode } from "./action.ts";
import { decide, PERMISSION_MODES } from "./decide.ts";
import { type Grant, grantsFor } from "./grants.ts";

const place = { cwd: "/work/app", folders: ["/work/lib"] };
const bash = (
  kind: "bash.readonly" | "bash.mutating" | "bash.destructive" | "git.force_push",
  command = "x",
): Action => ({
  kind,
  command,
});

/** The verdict of each of the four modes per action, with a person available. */
const TABLE: [string, Action, string][] = [
  ["inner", { kind: "inner" }, "allow allow allow allow"],
  ["read inside", { kind: "file.read", path: "/work/app/a.ts" }, "allow allow allow allow"],
  ["read .env inside", { kind: "file.read", path: "/work/app/.env" }, "allow allow allow allow"],
  ["read outside", { kind: "file.read", path: "/etc/hosts" }, "allow allow allow allow"],
  ["read a key", { kind: "file.read", path: "/home/u/.ssh/id_rsa" }, "ask ask ask ask"],
  ["read the machine's passwords", { kind: "file.read", path: "/etc/shadow" }, "ask ask ask ask"],
  ["read another's .env", { kind: "file.read", path: "/work/other/.env" }, "ask ask ask allow"],
  ["read an example", { kind: "file.read", path: "/work/other/.env.example" }, "allow allow allow allow"],
  ["write inside", { kind: "file.write", path: "/work/app/a.ts" }, "deny ask allow allow"],
  ["write in a folder", { kind: "file.write", path: "/work/lib/a.ts" }, "deny ask allow allow"],
  ["write in scratch", { kind: "file.write", path: "/tmp/a" }, "deny ask allow allow"],
  ["write outside", { kind: "file.write", path: "/work/other/a" }, "deny ask ask ask"],
  ["write in a sibling folder with the same prefix", { kind: "file.write", path: "/work/app2/a" }, "deny ask ask ask"],
  ["write by ..", { kind: "file.write", path: "/work/app/../x" }, "deny ask ask ask"],
  ["delete inside", { kind: "file.delete", path: "/work/app/a" }, "deny ask allow allow"],
  ["delete outside", { kind: "file.delete", path: "/etc/passwd" }, "deny ask ask ask"],
  ["bash reads", bash("bash.readonly"), "allow allow allow allow"],
  ["bash changes", bash("bash.mutating"), "deny ask ask allow"],
  ["bash destroys", bash("bash.destructive"), "deny ask ask ask"],
  ["bash destroys inside", { kind: "bash.destructive", command: "x", inside: true }, "deny ask ask allow"],
  ["force push", bash("git.force_push"), "deny ask ask ask"],
  ["code", { kind: "code.run", language: "py", code: "1" }, "deny ask ask allow"],
  ["fetch", { kind: "net.fetch", url: "http://a/" }, "ask ask ask allow"],
  ["mcp reads", { kind: "mcp.call", server: "s", tool: "t", readonly: true }, "allow allow allow allow"],
  ["mcp changes", { kind: "mcp.call", server: "s", tool: "t", readonly: false }, "deny ask ask allow"],
  ["host tool", { kind: "host_tool.invoke", tool: "t" }, "deny allow allow allow"],
  ["host uri read", { kind: "host_uri.read", url: "db://a" }, "allow allow allow allow"],
  ["host uri write", { kind: "host_uri.write", url: "db://a" }, "deny allow allow allow"],
  ["spawn", { kind: "agent.spawn", agent: "explore" }, "allow allow allow allow"],
];
const settings = { person: true, scratch: ["/tmp"] };

describe("decide", () => {
  it.each(TABLE)("%s", (_name, action, expected) => {
    const verdicts = PERMISSION_MODES.map((mode) => decide(mode, [action], place, [], settings).verdict);
    expect(verdicts.join(" ")).toBe(expected);
  });

  it("denies with a reason instead of asking when no person is available", () => {
    const verdict = decide("full-auto", [bash("git.force_push", "git push -f")], place, [], { person: false });
    expect(verdict).toEqual({ verdict: "deny", reason: expect.stringContaining("git push -f") });
  });

  it("applies a grant to the same command and to further plain operands, but not to new options", () => {
    const grants = grantsFor([bash("bash.mutating", "npm test")]);
    const verdict = (command: string) =>
      decide("ask", [bash("bash.mutating", command)], place, grants, settings).verdict;
    expect(verdict("npm test")).toBe("allow");
    expect(verdict("npm test src/a.test.ts")).toBe("allow");
    expect(verdict("npm test -- --run")).toBe("ask");
    expect(verdict("npm test --script-shell=./x")).toBe("ask");
    expect(verdict("npm testing")).toBe("ask");
    expect(verdict("npm test && rm -rf /")).toBe("ask");
    expect(verdict("npm test $(id)")).toBe("ask");
    expect(verdict("npm test\nid")).toBe("ask");
  });

  it("grants destructive commands only verbatim, and files by their folder", () => {
    const rm = grantsFor([bash("bash.destructive", "rm -rf a")]);
    expect(decide("ask", [bash("bash.destructive", "rm -rf a b")], place, rm, settings).verdict).toBe("ask");
    expect(decide("ask", [bash("bash.destructive", "rm -rf a")], place, rm, settings).verdict).toBe("allow");
    const files = grantsFor([{ kind: "file.write", path: "/else/x/a" }]);
    expect(decide("ask", [{ kind: "file.write", path: "/else/x/b" }], place, files, settings).verdict).toBe("allow");
    expect(decide("ask", [{ kind: "file.write", path: "/else/y" }], place, files, settings).verdict).toBe("ask");
    expect(decide("ask", [{ kind: "file.delete", path: "/else/x/b" }], place, files, settings).verdict).toBe("ask");
  });

  it("never lets a grant allow an action that plan mode denies", () => {
    for (const [, action] of TABLE) {
      const without = decide("plan", [action], place, [], settings).verdict;
      if (without === "deny")
        expect(decide("plan", [action], place, grantsFor([action]), settings).verdict).toBe("deny");
    }
  });
});

const anyAction = fc.constantFrom(...TABLE.map(([, action]) => action));
const anyGrants: fc.Arbitrary<Grant[]> = fc.array(anyAction, { maxLength: 3 }).map(grantsFor);
const rank = { deny: 0, ask: 1, allow: 2 };

describe("laws of decide", () => {
  it("a freer mode never denies what a stricter mode allows", () => {
    fc.assert(
      fc.property(
        fc.array(anyAction, { maxLength: 5 }),
        anyGrants,
        fc.boolean(),
        fc.nat(2),
        (actions, grants, person, at) => {
          const [lower, higher] = [PERMISSION_MODES[at], PERMISSION_MODES[at + 1]] as [PermissionMode, PermissionMode];
          const options = { person, scratch: ["/tmp"] };
          const before = decide(lower, actions, place, grants, options).verdict;
          expect(rank[decide(higher, actions, place, grants, options).verdict]).toBeGreaterThanOrEqual(rank[before]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("more actions are never freer, more grants never stricter", () => {
    fc.assert(
      fc.property(
        fc.array(anyAction, { maxLength: 4 }),
        anyAction,
        anyGrants,
        anyGrants,
        fc.constantFrom(...PERMISSION_MODES),
        (actions, more, grants, further, mode) => {
          const verdict = rank[decide(mode, actions, place, grants, settings).verdict];
          expect(rank[decide(mode, [...actions, more], place, grants, settings).verdict]).toBeLessThanOrEqual(verdict);
          expect(rank[decide(mode, actions, place, [...grants, ...further], settings).verdict]).toBeGreaterThanOrEqual(
            verdict,
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});
