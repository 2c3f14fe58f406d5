import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@gantry/client";
import type { Route } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import type { Outcome } from "../../attack.ts";
import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { type Answer, sendCall } from "../request.ts";

/** What the attacks on Gantry's own concepts need in addition to the server. */
export type GantryAccess = {
  client: Client;
  /** The token that an agent finds in its environment, and its session. */
  agent: { token: string; session: string };
  /** A session that the agent did not start. */
  otherSession: string;
};

/** Attacks on what the peers do not have: tickets, agents' own tokens, previews. */
export function gantryAttacks(access: GantryAccess): NetworkAttack[] {
  return [...ticketAttacks(access), ...agentAttacks(access), ...previewAttacks(access)];
}

function ticketAttacks({ client }: GantryAccess): NetworkAttack[] {
  const redeem = (server: LocalServer, ticket: unknown) =>
    sendCall(server, { method: "POST", path: "/v1/tickets/redeem", body: { ticket } });
  const judgeRefusal = ({ body }: Answer): Outcome =>
    body.includes('credential"') ? effect("a credential was given away") : HELD;
  const attack = (name: string, run: NetworkAttack["run"]): NetworkAttack => ({ name, class: "page ticket", run });
  return [
    attack("a ticket is used twice", async (server) => {
      const { ticket } = await client.ticket();
      await redeem(server, ticket);
      return judgeRefusal(await redeem(server, ticket));
    }),
    attack("one ticket is redeemed 20 times at once", async (server) => {
      const { ticket } = await client.ticket();
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(server, ticket)));
      const given = answers.filter(({ status }) => status < 300).length;
      return given <= 1 ? HELD : effect(`${given} credentials for one ticket`);
    }),
    attack("500 tickets are guessed", async (server) => {
      for (let at = 0; at < 500; at++) {
        const outcome = judgeRefusal(await redeem(server, `${at}${"a".repeat(42)}`));
        if ("held" in outcome && !outcome.held) return outcome;
      }
      return HELD;
    }),
    ...[null, true, 0, [], {}, "", "*", "' or 1=1", "../token"].map((ticket) =>
      attack(`the ticket is ${JSON.stringify(ticket)}`, async (server) => judgeRefusal(await redeem(server, ticket))),
    ),
  ];
}

/** Every call that is for people only, and every call on another session, with the token of an agent's session. */
function agentAttacks({ agent, otherSession }: GantryAccess): NetworkAttack[] {
  const headers = { authorization: `Bearer ${agent.token}` };
  return Object.entries(routes as Record<string, Route>).flatMap(([name, route]): NetworkAttack[] => {
    if (route.open || route.agent === "any" || route.agent === "checked") return [];
    const path = fillPath(route.path, otherSession);
    return [
      {
        name: `an agent's token: ${name}`,
        class: "agent's own token",
        run: async (server) => {
          const body = route.method === "GET" ? undefined : {};
          const call = { method: route.method as "GET", path, body };
          const { status } = await sendCall(server, call, headers);
          return status === 403 ? HELD : effect(`answered ${status}`);
        },
      },
    ];
  });
}

/** The ids of what a route names: well-formed, so that the call is refused for its caller and not for its form. */
const IDS: Readonly<Record<string, string>> = {
  ":item": "itm_1",
  ":comment": "cmt_1",
  ":mid": "msg_1",
  ":turn": "trn_1",
  ":revert": "job_1",
  ":name": "name",
  ":path": "name",
  "agents/:id": "agents/claude",
  "profiles/:id": "profiles/claude",
  "grants/:id": "grants/gra_1",
  "inputs/:id": "inputs/inp_1",
  "landings/:id": "landings/job_1",
  "lanes/:id": "lanes/lan_1",
  "launches/:id": "launches/lau_1",
  "limits/:id": "limits/lim_1",
  "previews/:id": "previews/prv_1",
  "projects/:id": "projects/prj_0000000000000000",
  "subscriptions/:id": "subscriptions/psb_1",
  ":seq": "1",
  "schedules/:id": "schedules/sch_1",
  "terminals/:id": "terminals/trm_1",
};

function fillPath(path: string, session: string): string {
  const filled = Object.entries(IDS).reduce((text, [name, id]) => text.replace(name, id), path);
  return filled.replace(/:\w+/g, session);
}

/** Addresses that a preview must not reach: other machines, the daemon itself, what is not HTTP. */
const TARGETS = [
  "http://169.254.169.254/latest/meta-data",
  "http://192.168.0.1/",
  "http://example.com/",
  "http://[::ffff:192.168.0.1]/",
  "http://0.0.0.1/",
  "http://127.0.0.1:0/",
  "http://127.0.0.1:70000/",
  "http://127.0.0.1@192.168.0.1/",
  "http://localhost.evil.example/",
  "file:///etc/passwd",
  "ftp://127.0.0.1/",
  "javascript:alert(1)",
  "unix:/run/docker.sock",
];

function previewAttacks({ client }: GantryAccess): NetworkAttack[] {
  const attack = (name: string, run: NetworkAttack["run"]): NetworkAttack => ({ name, class: "preview", run });
  return [
    ...TARGETS.map((url) =>
      attack(`a preview of ${url}`, async (server) => {
        const opened = await sendCall(server, { method: "POST", path: "/v1/previews", body: { url } }, server.owner);
        if (opened.status >= 300) return HELD;
        return effect(`opened with ${opened.status}`);
      }),
    ),
    attack("a preview of the daemon itself", async (server) => {
      const { port } = new URL(server.url);
      for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::]", "a.localhost"]) {
        const body = { url: `http://${host}:${port}/` };
        const opened = await sendCall(server, { method: "POST", path: "/v1/previews", body }, server.owner);
        if (opened.status < 300) return effect(`the daemon is proxied under another origin, as ${host}`);
      }
      return HELD;
    }),
    attack("a dev server sets the cookie of earlier versions", async () => readThroughPreview(client, "set-cookie")),
    attack("a dev server reads the cookie of earlier versions", async () => readThroughPreview(client, "cookie")),
  ];
}

async function readThroughPreview(client: Client, header: "set-cookie" | "cookie"): Promise<Outcome> {
  const received: string[] = [];
  const server: Server = createServer((request, response) => {
    received.push(JSON.stringify(request.headers));
    response.setHeader("set-cookie", ["gantry_session=x; Path=/", "gantry_session=y; HttpOnly"]).end("hello");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const port = (server.address() as AddressInfo).port;
    const preview = await client.previews.open({ port });
    const answer = await fetch(preview.origin, {
      headers: { cookie: "gantry_session=y" },
    });
    const cookies = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("gantry"));
    await client.previews.close(preview.id);
    if (header === "set-cookie") return cookies.length === 0 ? HELD : effect(`passed on ${cookies.join("; ")}`);
    return received.some((headers) => /gantry_session/.test(headers)) ? effect("the dev server got it") : HELD;
  } finally {
    server.close();
  }
}
