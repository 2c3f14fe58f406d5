import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { memoryRecords } from "../testing/server.harness.ts";
import { Credentials, type StoredPageCredential } from "./credentials.ts";
import { Tickets } from "./tickets.ts";

const TOKEN = "a-token-that-is-long-enough";
const DAY = 86_400_000;
const bearer = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } }) as IncomingMessage;

/** A daemon's credentials, which can be opened again on the same records and at another time. */
function setUp() {
  const pages = memoryRecords<StoredPageCredential>();
  const open = (token = TOKEN, now = 0) =>
    new Credentials({
      token,
      pages,
      now: () => now,
      sessionOf: (given) => (given === "gss_known" ? "ses_a" : undefined),
    });
  return { pages, open };
}

describe("page credentials", () => {
  it("survive a restart, but neither their expiry nor a new owner token", () => {
    const { open } = setUp();
    const { credential, expiresAt } = open().issuePageCredential();
    expect(expiresAt).toBe(new Date(30 * DAY).toISOString());
    expect(open().identify(bearer(credential))).toEqual({ kind: "page" });
    expect(open(TOKEN, 30 * DAY - 1).identify(bearer(credential))).toEqual({ kind: "page" });
    expect(open(TOKEN, 30 * DAY).identify(bearer(credential))).toBeUndefined();
    expect(open("another-token-of-good-length").identify(bearer(credential))).toBeUndefined();
  });

  it("are stored only as hashes, and a stored hash does not authorise", () => {
    const { open, pages } = setUp();
    const { credential } = open().issuePageCredential();
    expect(JSON.stringify(pages.list())).not.toContain(credential.slice(4));
    const [stored] = pages.list();
    for (const guess of [stored?.id ?? "", `gpc_${stored?.id}`, `gpc_${stored?.id.slice(0, 43)}`])
      expect(open().identify(bearer(guess))).toBeUndefined();
  });

  it("stop working when they are revoked", () => {
    const { open, pages } = setUp();
    const issued = [open().issuePageCredential(), open().issuePageCredential()];
    expect(open().revokePageCredentials()).toBe(2);
    for (const { credential } of issued) expect(open().identify(bearer(credential))).toBeUndefined();
    expect(pages.list()).toEqual([]);
  });

  it("are removed from the records when they have expired or there are too many", () => {
    const { open, pages } = setUp();
    const oldest = open().issuePageCredential();
    for (let i = 1; i <= 200; i++) open(TOKEN, i).issuePageCredential();
    expect(pages.list()).toHaveLength(200);
    expect(open().identify(bearer(oldest.credential))).toBeUndefined();
    open(TOKEN, 40 * DAY).issuePageCredential();
    expect(pages.list()).toHaveLength(1);
  });

  it("authorise only in the Authorization header", () => {
    const { open } = setUp();
    const { credential } = open().issuePageCredential();
    for (const headers of [
      { cookie: `gantry_session=${credential}` },
      { cookie: `gantry.credential=${credential}` },
      { authorization: credential },
      { authorization: `Basic ${credential}` },
      { "x-authorization": `Bearer ${credential}` },
    ])
      expect(open().identify({ headers } as unknown as IncomingMessage)).toBeUndefined();
  });
});

it("distinguishes the owner token, session tokens and unknown tokens", () => {
  const credentials = setUp().open();
  expect(credentials.identify(bearer(TOKEN))).toEqual({ kind: "token" });
  expect(credentials.identify(bearer("gss_known"))).toEqual({ kind: "session", session: "ses_a" });
  expect(credentials.identify(bearer("gss_other"))).toBeUndefined();
  expect(credentials.identify(bearer(`gpc_${"a".repeat(43)}`))).toBeUndefined();
});

it("refuses to start with an owner token that is easy to guess", () => {
  expect(() => setUp().open("short")).toThrow("too short");
});

describe("tickets", () => {
  it("work once, within ten minutes", () => {
    let now = 0;
    const tickets = new Tickets({ now: () => now });
    const [first, second] = [tickets.issue(), tickets.issue()];
    expect(first.expiresAt).toBe(new Date(600_000).toISOString());
    expect(tickets.redeem(first.ticket)).toBe(true);
    expect(tickets.redeem(first.ticket)).toBe(false);
    now = 600_000;
    expect(tickets.redeem(second.ticket)).toBe(false);
    expect(tickets.redeem("never issued")).toBe(false);
  });

  it("do not pile up: the oldest make room", () => {
    const tickets = new Tickets({ now: () => 0 });
    const issued = Array.from({ length: 200 }, () => tickets.issue().ticket);
    const good = issued.filter((ticket) => tickets.redeem(ticket));
    expect(good).toEqual(issued.slice(100));
  });

  it("are not used up or found by guesses", () => {
    const tickets = new Tickets({ now: () => 0 });
    const { ticket } = tickets.issue();
    for (let i = 0; i < 1000; i++) expect(tickets.redeem(`${ticket.slice(0, -1)}-${i}`)).toBe(false);
    expect(tickets.redeem(ticket)).toBe(true);
  });

  it("stop working when all are revoked", () => {
    const tickets = new Tickets({ now: () => 0 });
    const { ticket } = tickets.issue();
    tickets.revokeAll();
    expect(tickets.redeem(ticket)).toBe(false);
  });
});
