import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { findSessionToken } from "./session-token.ts";

const TOKEN = `gss_${"x".repeat(43)}.ses_a`;
const URL_OF_DAEMON = "http://127.0.0.1:1";
const module = new URL("./session-token.ts", import.meta.url).pathname;

/** Runs the search in a process whose variables were removed, below one that has them. */
function searchBelow(env: Record<string, string>, session: string): unknown {
  const code = `import(${JSON.stringify(module)}).then(({ findSessionToken }) =>
    console.log(JSON.stringify(findSessionToken(${JSON.stringify(session)}, process.env) ?? null)))`;
  // The shell stays between the two processes, as an agent or its launcher would.
  const command = 'env -i "$0" --disable-warning=ExperimentalWarning -e "$1"; exit $?';
  const output = execFileSync("/bin/sh", ["-c", command, process.execPath, code], {
    env: { PATH: process.env.PATH ?? "", ...env },
    encoding: "utf8",
  });
  return JSON.parse(output);
}

it("takes the token from the own environment", () => {
  const env = { GANTRY_URL: URL_OF_DAEMON, GANTRY_TOKEN: TOKEN };
  expect(findSessionToken("ses_a", env)).toEqual({ url: URL_OF_DAEMON, token: TOKEN });
});

it("takes it from a process above, if an agent removed the variables", () => {
  const env = { GANTRY_URL: URL_OF_DAEMON, GANTRY_TOKEN: TOKEN };
  expect(searchBelow(env, "ses_a")).toEqual({ url: URL_OF_DAEMON, token: TOKEN });
});

it("ignores the token of another session, and one without an address", () => {
  expect(searchBelow({ GANTRY_URL: URL_OF_DAEMON, GANTRY_TOKEN: TOKEN }, "ses_b")).toBeNull();
  expect(searchBelow({ GANTRY_TOKEN: TOKEN }, "ses_a")).toBeNull();
  expect(findSessionToken("ses_b", { GANTRY_URL: URL_OF_DAEMON, GANTRY_TOKEN: TOKEN })).toBeUndefined();
});
