import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { Credentials } from "./credentials.ts";
import { Tickets } from "./tickets.ts";

const TOKEN = "a-token-that-is-long-enough";
const DAY = 86_400_000;
const nobody = () => undefined;
const withCookie = (setCookie: string) =>
  ({ headers: { cookie: `other=1; ${setCookie.split(";")[0]}` } }) as IncomingMessage;

describe("cookies", () => {
  it("outlive the daemon, but not their time nor the token", () => {
    let now = 0;
    const credentials = new Credentials(TOKEN, nobody, () => now);
    const request = withCookie(credentials.issueCookie());
    expect(credentials.identify(request)).toEqual({ kind: "cookie" });
    expect(new Credentials(TOKEN, nobody, () => now).identify(request)).toEqual({ kind: "cookie" });
    expect(new Credentials("another-token-of-good-length", nobody, () => now).identify(request)).toBeUndefined();
    now = 31 * DAY;
    expect(credentials.identify(request)).toBeUndefined();
  });

  it("cannot be given a longer life", () => {
    const credentials = new Credentials(TOKEN, nobody, () => 40 * DAY);
    const old = new Credentials(TOKEN, nobody, () => 0).issueCookie();
    const stretched = old.replace(/=\d+\./, `=${100 * DAY}.`);
    expect(credentials.identify(withCookie(stretched))).toBeUndefined();
  });

  it("are all different and do not hold the token", () => {
    const credentials = new Credentials(TOKEN, nobody);
    const cookies = Array.from({ length: 10 }, () => credentials.issueCookie());
    expect(new Set(cookies).size).toBe(10);
    expect(cookies.join()).not.toContain(TOKEN);
  });
});

it("knows the daemon's own token from that of a session, and neither is made good by the other", () => {
  const credentials = new Credentials(TOKEN, (token) => (token === "gss_known" ? "ses_a" : undefined));
  const identify = (token: string) =>
    credentials.identify({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
  expect(identify(TOKEN)).toEqual({ kind: "token" });
  expect(identify("gss_known")).toEqual({ kind: "session", session: "ses_a" });
  expect(identify("gss_other")).toBeUndefined();
});

it("refuses to guard anything with a token that can be guessed", () => {
  expect(() => new Credentials("short", nobody)).toThrow("too short");
});

describe("tickets", () => {
  it("are good once, within a minute", () => {
    let now = 0;
    const tickets = new Tickets(() => now);
    const [first, second] = [tickets.issue(), tickets.issue()];
    expect(first.expiresAt).toBe(new Date(600_000).toISOString());
    expect(tickets.redeem(first.ticket)).toBe(true);
    expect(tickets.redeem(first.ticket)).toBe(false);
    now = 600_000;
    expect(tickets.redeem(second.ticket)).toBe(false);
    expect(tickets.redeem("never issued")).toBe(false);
  });

  it("do not pile up: the oldest make room", () => {
    const tickets = new Tickets(() => 0);
    const issued = Array.from({ length: 200 }, () => tickets.issue().ticket);
    const good = issued.filter((ticket) => tickets.redeem(ticket));
    expect(good).toEqual(issued.slice(100));
  });
});
