import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { json, refusalOf, startServer, type TestServer } from "../testing/server.harness.ts";

let server: TestServer;
const target = createServer((request, response) => {
  response.write("secret");
  if (request.url !== "/stream") response.end();
});
beforeAll(async () => {
  server = await startServer();
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  target.closeAllConnections();
  target.close();
  await server.previews.stop();
  await server.server.close();
});

const revoke = () => server.ask("/v1/tickets", { method: "DELETE" });

async function openPage(): Promise<string> {
  const answer = await server.askBare("/v1/tickets/redeem", json({ ticket: server.tickets.issue().ticket }));
  return `Bearer ${(answer.json as { credential: string }).credential}`;
}

async function openTerminal(): Promise<string> {
  return ((await server.ask("/v1/terminals", json({ command: ["cat"] }))).json as { id: string }).id;
}

async function issueTicket(id: string, authorization: string): Promise<string> {
  const answer = await server.askBare(`/v1/terminals/${id}/tickets`, { method: "POST", headers: { authorization } });
  return (answer.json as { ticket: string }).ticket;
}

async function openPreview(): Promise<{ origin: string; url: string }> {
  const { port } = target.address() as AddressInfo;
  return (await server.ask("/v1/previews", json({ port }))).json as { origin: string; url: string };
}

/** "ended" or "cut" once the stream has ended. */
function follow(path: string, authorization?: string): Promise<string> {
  const headers = { accept: "text/event-stream", ...(authorization ? { authorization } : {}) };
  return server.askBare(path, { headers }).then(
    () => "ended",
    () => "cut",
  );
}

describe("revoking the pages", () => {
  it("drops an unused ticket of a terminal at once", async () => {
    const id = await openTerminal();
    const ticket = await issueTicket(id, await openPage());
    await revoke();
    const answer = await server.askBare(`/v1/terminals/${id}/stream?ticket=${ticket}`);
    expect(refusalOf(server, answer)).toBe("bad_ticket");
  });

  it("ends a terminal's stream that a ticket opened", async () => {
    const id = await openTerminal();
    const stream = follow(`/v1/terminals/${id}/stream?ticket=${await issueTicket(id, await openPage())}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await revoke();
    expect(await stream).toBe("cut");
  });

  it("drops an unused link to a preview, and the pass of a browser that has entered", async () => {
    const [unused, entered] = [await openPreview(), await openPreview()];
    const entry = await fetch(entered.url, { redirect: "manual" });
    const cookie = entry.headers.getSetCookie()[1]?.split(";")[0] ?? "";
    expect((await fetch(entered.origin, { headers: { cookie } })).status).toBe(200);
    await revoke();
    expect((await fetch(unused.url, { redirect: "manual" })).status).toBe(401);
    expect((await fetch(entered.origin, { headers: { cookie } })).status).toBe(401);
  });

  it("ends the open connections of a preview", async () => {
    const { origin, url } = await openPreview();
    const entry = await fetch(url, { redirect: "manual" });
    const cookie = entry.headers.getSetCookie()[1]?.split(";")[0] ?? "";
    const response = await fetch(`${origin}/stream`, { headers: { cookie } });
    const rest = response.text().then(
      () => "ended",
      () => "cut",
    );
    await revoke();
    expect(await rest).toBe("cut");
  });

  it("refuses a request whose body arrives after the revocation", async () => {
    const authorization = await openPage();
    const sent = vi.spyOn(server.service, "send");
    server.service.add("ses_a");
    const body = JSON.stringify({ text: "hello" });
    const socket = connect(server.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("error", () => {}).on("close", resolve));
    socket.write(
      `POST /v1/sessions/ses_a/messages HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await revoke();
    socket.write(body);
    await closed;
    expect(sent).not.toHaveBeenCalled();
  });

  it("answers the page that revokes, and leaves streams of the owner open", async () => {
    const authorization = await openPage();
    const own = follow("/v1/events", server.authorization);
    await expect.poll(() => server.hub.readers).toBe(1);
    const answer = await server.askBare("/v1/tickets", { method: "DELETE", headers: { authorization } });
    expect(answer.status).toBe(200);
    expect(server.hub.readers).toBe(1);
    server.hub.close();
    expect(await own).toBe("ended");
  });
});
