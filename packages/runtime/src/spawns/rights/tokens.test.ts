import { draft } from "@gantry/protocol";
import { expect, it } from "vitest";
import { hideTokens } from "../../framing/redact.ts";
import { TemporaryStore } from "../../log/testing/temporary-store.ts";
import { SessionTokens } from "./tokens.ts";

const home = new TemporaryStore();

it("accepts a token for its session, across restarts, until the agent is restarted", () => {
  home.startSession("ses_a");
  home.startSession("ses_b");
  const first = new SessionTokens(home.store).issue("ses_a", "agent");
  home.reopen();
  const tokens = new SessionTokens(home.store);
  expect(tokens.sessionOf(first)).toBe("ses_a");
  expect(tokens.sessionOf(first.replace("ses_a", "ses_b"))).toBeUndefined();
  for (const wrong of ["", "ses_a", "gss_x.ses_a", `${first}x`, first.toUpperCase(), "gss_.ses_a"])
    expect(tokens.sessionOf(wrong)).toBeUndefined();
  const second = tokens.issue("ses_a", "agent");
  expect([tokens.sessionOf(first), tokens.sessionOf(second)]).toEqual([undefined, "ses_a"]);
});

it("accepts the tokens of terminals until the daemon ends", () => {
  home.startSession("ses_a");
  const tokens = new SessionTokens(home.store);
  const [agent, one, two] = [
    tokens.issue("ses_a", "agent"),
    tokens.issue("ses_a", "terminal"),
    tokens.issue("ses_a", "terminal"),
  ];
  expect([agent, one, two].map((token) => tokens.sessionOf(token))).toEqual(["ses_a", "ses_a", "ses_a"]);
  tokens.tidy();
  expect([agent, one, two].map((token) => tokens.sessionOf(token))).toEqual(["ses_a", undefined, undefined]);
});

it("rejects tokens of archived, ended, revoked or deleted sessions", () => {
  const tokens = new SessionTokens(home.store);
  const ends = [
    draft("session.updated", { patch: { archived: true } }),
    draft("session.ended", { reason: "failed" as const }),
  ];
  for (const [i, end] of ends.entries()) {
    const script = home.startSession(`ses_${i}`);
    const token = tokens.issue(`ses_${i}`, "agent");
    home.store.commit({ session: `ses_${i}`, events: script.add(end) });
    expect(tokens.sessionOf(token)).toBeUndefined();
  }
  home.startSession("ses_r");
  const revoked = tokens.issue("ses_r", "agent");
  tokens.revoke("ses_r");
  expect(tokens.sessionOf(revoked)).toBeUndefined();
  home.startSession("ses_g");
  const gone = tokens.issue("ses_g", "agent");
  home.store.sessions.delete("ses_g");
  expect(tokens.sessionOf(gone)).toBeUndefined();
  tokens.tidy();
  expect(home.store.records("session-token").get("ses_g")).toBeUndefined();
});

it("stores no token and redacts it from published text", () => {
  home.startSession("ses_a");
  const token = new SessionTokens(home.store).issue("ses_a", "agent");
  const secret = token.split(".")[0] ?? "";
  expect(JSON.stringify(home.store.records("session-token").list())).not.toContain(secret);
  const printed = JSON.stringify({ output: `GANTRY_TOKEN=${token}\nPATH=/bin` });
  expect(JSON.parse(hideTokens(printed))).toEqual({ output: "GANTRY_TOKEN=gss_[hidden]\nPATH=/bin" });
  expect(hideTokens("gss_ alone stays")).toBe("gss_ alone stays");
});
