import { expect, it } from "vitest";
import type { ProbeTools } from "../contract.ts";
import { converseResult } from "../finding/testing/machine.ts";
import { probe } from "./probe.ts";
import { framesOf } from "./recordings.fake.ts";

const recorded = framesOf("2.1.325/ctl_initialize").flatMap((frame) =>
  "msg" in frame && frame.dir === "out" ? [frame.msg] : [],
);

/** A fake binary with these answers. Any other command is unknown to it. */
function binary(answers: Record<string, string>, lines: unknown[] = recorded): ProbeTools {
  return {
    bin: "claude",
    env: {},
    run: async (args) => {
      const stdout = answers[args.join(" ")];
      const known = stdout !== undefined;
      return {
        code: known ? 0 : 1,
        stdout: stdout ?? "",
        stderr: known ? "" : "error: unknown command",
        timedOut: false,
      };
    },
    converse: async (_args, _frames, done) =>
      converseResult(lines.slice(0, lines.findIndex((_, index) => done(lines.slice(0, index + 1))) + 1)),
  };
}

const version = { "--version": "2.1.325 (Claude Code)\n" };
const loggedIn = { "auth status": '{"loggedIn":true,"authMethod":"api_key","apiKeySource":"ANTHROPIC_API_KEY"}' };

it("finds version, login and models", async () => {
  const found = await probe(binary({ ...version, ...loggedIn }));
  expect(found).toMatchObject({ ok: true, version: "2.1.325", problems: [] });
  expect(found.auth).toEqual({
    state: "ok",
    how: "claude auth status: api_key, ANTHROPIC_API_KEY",
    account: "ANTHROPIC_API_KEY",
  });
  expect(found.models?.map(({ id }) => id)).toEqual(["default", "opus", "fable", "sonnet", "haiku"]);
  expect(found.models?.[0]).toMatchObject({ default: true, efforts: ["low", "medium", "high", "xhigh", "max"] });
});

it("reports how to log in", async () => {
  const found = await probe(binary({ ...version, "auth status": '{"loggedIn":false,"authMethod":"none"}' }));
  expect(found.auth.state).toBe("missing");
  expect(found.problems).toMatchObject([{ code: "not_logged_in" }]);
});

it("reports an unknown state when the agent does not respond", async () => {
  const found = await probe(binary(version, []));
  expect(found.auth.state).toBe("unknown");
  expect(found.models).toBeUndefined();
  expect(found.problems).toMatchObject([{ code: "no_models" }]);
});

it("rejects another program with the same name", async () => {
  const found = await probe(binary({ "--version": "ripgrep 14.0.0\n" }));
  expect(found).toMatchObject({ ok: false, problems: [{ code: "broken" }] });
  expect(found.problems[0]?.message).toContain("ripgrep");
});
