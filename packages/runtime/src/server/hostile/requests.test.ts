import { request } from "node:http";
import type { Route, RouteName } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Config } from "../../config.ts";
import { type Answer, json, refusalOf, startServer, type TestServer, TOKEN } from "../testing/server.harness.ts";

let server: TestServer;
beforeAll(async () => {
  const config = Config.parse({ server: { hosts: ["box.example"], origins: ["https://app.example"], bodyMb: 0.1 } });
  server = await startServer({ config: config.server });
});
afterAll(() => server.server.close());
beforeEach(() => {
  server.service.add("ses_a");
  server.service.calls = [];
});
const refusal = (answer: Answer) => refusalOf(server, answer);

describe("bodies", () => {
  const post = (body: string | Buffer) =>
    server.ask("/v1/sessions/ses_a/messages", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });

  it("refuses a request with too large a Content-Length before reading it", async () => {
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    const answer = await server.raw(`${head}\r\nContent-Length: 99999999999\r\n\r\n{`);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, "too_large"]);
  });

  it("stops reading one that turns out too large", async () => {
    const answer = await new Promise<{ status?: number; sent: number }>((resolve, reject) => {
      let sent = 0;
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "transfer-encoding": "chunked",
      };
      const upload = request(
        { port: server.port, host: "127.0.0.1", path: "/v1/sessions", method: "POST", headers },
        (response) => {
          clearInterval(timer);
          upload.end();
          response.resume().on("end", () => resolve({ status: response.statusCode, sent }));
        },
      );
      upload.on("error", reject);
      const timer = setInterval(() => {
        sent += 20_000;
        upload.write(" ".repeat(20_000));
      }, 1);
    });
    expect(answer.status).toBe(413);
    expect(server.service.calls).toEqual([]);
  });

  const bad: Record<string, string | Buffer> = {
    "half a body": '{"text":',
    "two values": "{}{}",
    "single quotes": "{'text':'x'}",
    "not UTF-8": Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    "deep arrays": `{"text":${"[".repeat(40_000)}${"]".repeat(40_000)}}`,
    "deep objects": `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
    "a prototype": '{"text":"x","__proto__":{"admin":true}}',
    "a prototype further in": '{"text":"x","attachments":[{"__proto__":{"path":"/etc"}}]}',
    "an escaped prototype": '{"text":"x","\\u005f_proto__":{}}',
    "white space": "   ",
  };
  for (const [name, body] of Object.entries(bad)) {
    it(`refuses ${name}`, async () => expect(refusal(await post(body))).toBe("bad_json"));
  }

  for (const value of ["null", "[]", '"text"', "1", "true", '{"constructor":{"prototype":{}},"text":"x"}']) {
    it(`refuses ${value} where an object is due`, async () => expect(refusal(await post(value))).toBe("invalid"));
  }

  it("needs a body where one is due, and takes no compressed one", async () => {
    expect(refusal(await server.ask("/v1/sessions", { method: "POST" }))).toBe("bad_json");
    const zipped = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(refusal(await server.ask("/v1/sessions", { method: "POST", headers: zipped, body: "x" }))).toBe(
      "unsupported_media",
    );
  });
});

/** Valid bodies from which one field at a time is spoiled. */
const valid: Partial<Record<RouteName, Record<string, unknown>>> = {
  redeemTicket: { ticket: "x" },
  stopDaemon: {},
  createSession: { agent: "scripted" },
  startDemo: {},
  patchSession: { title: "x" },
  sendMessage: { text: "x" },
  patchMessage: { position: 0 },
  interrupt: {},
  changeQueue: { state: "paused" },
  forkSession: {},
  revertTurn: { paths: ["a.txt"] },
  undoRevert: {},
  createSchedule: { session: "ses_a", text: "x", every: 60 },
  patchSchedule: { enabled: false },
  hearSession: { turn: "trn_1" },
  answerInput: { decision: "allow" },
  putPush: { enabled: true },
  addSubscription: { name: "Phone", endpoint: "https://push.example/1", keys: { p256dh: "x", auth: "x" } },
  testSubscription: {},
  answerPush: { ticket: "x", decision: "deny" },
  putMcpServer: { command: ["serve"] },
  putIdentity: { agent: "scripted" },
  sendToIdentity: { text: "x" },
  putSkill: { path: "/skills/release" },
  patchSettings: { queueLimit: 3 },
  putDefaults: { scope: "user", agent: "scripted" },
  putTrust: { path: "/work" },
  putProfile: { text: "id: mine" },
  createLane: { cwd: "/repo" },
  patchLane: { name: "x" },
  undoLane: {},
  createLaunch: { prompt: "x", cwd: "/repo", slots: [{ agent: "scripted" }] },
  checkLaunch: {},
  landLane: {},
  updateLane: {},
  handOff: { agent: "scripted" },
  openTerminal: { command: ["cat"] },
  typeIntoTerminal: { data: "x" },
  resizeTerminal: { cols: 80, rows: 24 },
  openPreview: { port: 9 },
  createPreviewTicket: { path: "/" },
  importConversation: { agent: "scripted", conversation: "one" },
  patchLimit: { autoResume: true },
  discardChanges: { paths: ["a.txt"] },
  stageChanges: { paths: ["a.txt"] },
  unstageChanges: { paths: ["a.txt"] },
  commitChanges: { all: true },
  openPullRequest: { title: "x" },
  addComment: { path: "a.txt", line: 1, text: "x" },
  patchComment: { text: "x" },
  addProvider: { name: "mine" },
  addProject: { path: "/repo" },
  changeProject: { pinned: true },
  putSavedPrompt: { text: "x" },
  coordinate: { jsonrpc: "2.0", id: 1, method: "ping" },
};

/** What stands after these segments of a path. */
const names: Record<string, string> = {
  sessions: "ses_a",
  messages: "msg_1",
  turns: "trn_1",
  reverts: "job_1",
  items: "itm_1",
  inputs: "inp_1",
  grants: "gra_1",
  agents: "scripted",
  terminals: "trm_1",
  previews: "prv_1",
  lanes: "lan_1",
  launches: "lau_1",
  landings: "job_1",
  schedules: "sch_1",
  "mcp-servers": "files",
  identities: "lead",
  skills: "release",
  profiles: "mine",
  limits: "lim_a",
  comments: "cmt_1",
  subscriptions: "psb_1",
  projects: "prj_0000000000000000",
  providers: "mine",
  "saved-prompts": "review",
  at: "1",
};

/** Parameters of a query that take any text. */
const anyText = [
  "q",
  "provider",
  "cursor",
  "session",
  "path",
  "moved",
  "agent",
  "cwd",
  "repository",
  "file",
  "lane",
  "lanes",
  "folder",
  "ticket",
];

/** The names of a body's fields; of one that has several forms, all of them; of one whose keys are free, two of those. */
function fieldsOf(body: z.ZodType): string[] {
  if ("keyType" in body) return ["queueLimit", "deadlines.turnSeconds"];
  if ("options" in body) return [...new Set((body as z.ZodUnion).options.flatMap((one) => fieldsOf(one as z.ZodType)))];
  return Object.keys((body as z.ZodObject).shape);
}

const poison = [
  null,
  true,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\u0000",
  "../..",
  "x".repeat(50_000),
  [],
  [null],
  {},
  { a: 1 },
  [[]],
  { length: 1 },
];

describe("wrong values in every field of every call", () => {
  afterEach(() => expect(server.service.calls).toEqual([]));

  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const path = route.path.replace(/([\w-]+)\/:\w+/g, (_, kind: string) => `${kind}/${names[kind]}`);
    if (route.body) {
      const fields = fieldsOf(route.body);
      it(`${name}: ${fields.join(", ")}`, async () => {
        expect(valid[name], "a valid body to start from").toBeDefined();
        const bodies = fields.flatMap((field) => poison.map((value) => ({ ...valid[name], [field]: value })));
        const wrong = [...bodies, { ...valid[name], unknown: 1 }].filter(
          (body) => !route.body?.safeParse(body).success,
        );
        expect(wrong.length).toBeGreaterThan(fields.length * 3);
        for (const body of wrong)
          expect(refusal(await server.ask(path, { ...json(body), method: route.method }))).toBe("invalid");
      });
      if (route.allowsNul) continue;
      it(`${name}: NUL in any field, nested value or key`, async () => {
        const nested = [{ a: ["b", "c\0"] }, { "a\0": 1 }];
        const values = fields.flatMap((field) => ["a\0b", "\0", ...nested].map((value) => ({ [field]: value })));
        for (const value of values) {
          const answer = await server.ask(path, { ...json({ ...valid[name], ...value }), method: route.method });
          expect(refusal(answer)).toBe("invalid");
        }
      });
    }
    if (route.method === "GET" && !route.path.includes("items")) {
      it(`${name}: query`, async () => {
        const keys = Object.keys(route.query?.shape ?? {}).filter((key) => !anyText.includes(key));
        const queries = keys.flatMap((key) =>
          ["-1", "1.5", "x", "%00", "1e999", "NaN", "[]"].map((value) => `${key}=${value}`),
        );
        const more = route.query?.shape.q ? "q=x&" : "";
        for (const query of [...queries, "unknown=1", "__proto__=1", ...keys.map((key) => `${key}=1&${key}=1`)])
          expect(refusal(await server.ask(`${path}?${more}${query}`)), query).toBe("invalid");
      });
    }
  }

  it("numbers in any spelling but plain decimal digits", async () => {
    const spellings = [
      "",
      "0x10",
      "0b1",
      "0o7",
      "1e3",
      "1E0",
      "+5",
      "-0",
      "%205",
      "5%20",
      "1.0",
      "1.",
      ".5",
      "01",
      "00",
    ];
    const more = [
      "1_0",
      "1,0",
      "Infinity",
      "%EF%BC%91",
      "%D9%A1",
      "9007199254740993",
      "99999999999999999999",
      "0n",
      "1n",
    ];
    const tried = (Object.values(routes) as Route[]).flatMap((route) => {
      const path = route.path.replace(/([\w-]+)\/:\w+/g, (_, kind: string) => `${kind}/${names[kind]}`);
      const numbers = Object.entries(route.query?.shape ?? {}).filter(
        ([, schema]) => typeof z.safeParse(schema, "1").data === "number",
      );
      const start = route.query?.shape.q ? `${path}?q=x&` : `${path}?`;
      return numbers.flatMap(([key]) => [...spellings, ...more].map((text) => `${start}${key}=${text}`));
    });
    expect(tried.length).toBeGreaterThan(200);
    for (const url of tried) expect(refusal(await server.ask(url)), url).toBe("invalid");
  });

  it("NUL in any query that takes text", async () => {
    for (const query of ["/v1/search?q=a%00b", "/v1/lanes?cwd=/tmp%00/x", "/v1/imports?cwd=%00"])
      expect(refusal(await server.ask(query)), query).toBe("invalid");
  });

  it("Last-Event-ID", async () => {
    const headers = { accept: "text/event-stream", "last-event-id": "-1; drop" };
    expect(refusal(await server.ask("/v1/events", { headers }))).toBe("invalid");
  });
});
