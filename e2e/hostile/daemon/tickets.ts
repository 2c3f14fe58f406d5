import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Attack, Outcome } from "../attack.ts";
import type { Scene } from "./scene.ts";

/** `true`: the attacker got what it should not. */
type Attempt = () => Promise<boolean>;

/** Tickets of previews and terminals: replayed, guessed, used elsewhere or against the API. */
export function ticketAttacks(scene: Scene): Attack[] {
  return Object.entries({ ...terminalAttempts(scene), ...previewAttempts(scene) }).map(([name, attempt]) => ({
    name,
    class: "ticket",
    run: async (): Promise<Outcome> =>
      (await attempt()) ? { held: false, effect: "it was accepted" } : { held: true },
  }));
}

function terminalAttempts({ client, ask }: Scene): Record<string, Attempt> {
  const openTerminal = async () => (await client.terminals.open({ command: ["cat"] })).id;
  const canStream = async (id: string, ticket: string) =>
    (await ask(`/v1/terminals/${id}/stream?ticket=${ticket}`, { bare: true })).ok;
  return {
    "terminal ticket, replayed": async () => {
      const id = await openTerminal();
      const { ticket } = await client.terminals.ticket(id);
      return (await canStream(id, ticket)) && (await canStream(id, ticket));
    },
    "terminal ticket, other terminal": async () => {
      const [one, other] = [await openTerminal(), await openTerminal()];
      return canStream(other, (await client.terminals.ticket(one)).ticket);
    },
    "terminal ticket, unused when the pages are revoked": async () => {
      const id = await openTerminal();
      const { ticket } = await client.terminals.ticket(id);
      await client.revokePages();
      return canStream(id, ticket);
    },
    "terminal stream, open when the pages are revoked": async () => {
      const id = await openTerminal();
      const { ticket } = await client.terminals.ticket(id);
      const headers = { accept: "text/event-stream" };
      const stream = await ask(`/v1/terminals/${id}/stream?ticket=${ticket}`, { bare: true, headers });
      await client.revokePages();
      return !(await isCut(stream));
    },
    "terminal ticket, guessed": async () => canStream(await openTerminal(), "a".repeat(32)),
    "terminal ticket, against the API": async () => {
      const { ticket } = await client.terminals.ticket(await openTerminal());
      return (await ask("/v1/sessions", { bare: true, headers: { authorization: `Bearer ${ticket}` } })).ok;
    },
    "terminal ticket, to open the page": async () => {
      const { ticket } = await client.terminals.ticket(await openTerminal());
      const body = JSON.stringify({ ticket });
      return (await ask("/v1/tickets/redeem", { method: "POST", bare: true, headers: JSON_TYPE, body })).ok;
    },
  };
}

function previewAttempts(scene: Scene): Record<string, Attempt> {
  const { ask, url, client } = scene;
  return {
    "preview, without a ticket": () => withPreview(scene, async ({ origin }) => (await fetch(origin)).ok),
    "preview, ticket replayed": () =>
      withPreview(scene, async (preview) => {
        await fetch(preview.url, { redirect: "manual" });
        return (await fetch(preview.url, { redirect: "manual" })).status === 303;
      }),
    "preview, unused link when the pages are revoked": () =>
      withPreview(scene, async (preview) => {
        await client.revokePages();
        return (await fetch(preview.url, { redirect: "manual" })).status === 303;
      }),
    "preview, pass when the pages are revoked": () =>
      withPreview(scene, async ({ url, origin }) => {
        const cookie = await passOf(url);
        await client.revokePages();
        return (await fetch(origin, { headers: { cookie } })).ok;
      }),
    "preview, pass of another one": () =>
      withPreview(scene, (one) =>
        withPreview(scene, async (other) => {
          const pass = await passOf(one.url);
          const renamed = pass.replace(/\d+=/, `${new URL(other.origin).port}=`);
          return (await fetch(other.origin, { headers: { cookie: `${pass}; ${renamed}` } })).ok;
        }),
      ),
    "preview, pass against the API": () =>
      withPreview(scene, async (preview) => {
        const cookie = await passOf(preview.url);
        const attempts: Record<string, string>[] = [
          { cookie },
          { authorization: `Bearer ${cookie.split("=")[1] ?? ""}` },
        ];
        const answers = attempts.map((headers) => ask("/v1/sessions", { bare: true, headers }));
        return (await Promise.all(answers)).some(({ ok }) => ok);
      }),
    "preview, of the daemon itself": async () => {
      const body = JSON.stringify({ port: Number(new URL(url).port) });
      return (await ask("/v1/previews", { method: "POST", headers: JSON_TYPE, body })).ok;
    },
  };
}

const JSON_TYPE = { "content-type": "application/json" };

/** Whether the server cuts the stream off within a few seconds. */
function isCut(stream: Response): Promise<boolean> {
  const waited = new Promise<boolean>((resolve) => setTimeout(resolve, 5000, false));
  const ended = stream.text().then(
    () => false,
    () => true,
  );
  return Promise.race([ended, waited]);
}

/** The pass that a browser gets for a link. */
async function passOf(url: string): Promise<string> {
  const response = await fetch(url, { redirect: "manual" });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

async function withPreview(
  { client }: Scene,
  use: (preview: { origin: string; url: string }) => Promise<boolean>,
): Promise<boolean> {
  const target = createServer((_, response) => response.end("secret"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const preview = await client.previews.open({ port: (target.address() as AddressInfo).port });
  try {
    return await use({ origin: preview.origin, url: preview.url ?? "" });
  } finally {
    await client.previews.close(preview.id);
    target.close();
  }
}
