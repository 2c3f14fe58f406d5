import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@gantry/client";
import { startDaemonProcess } from "../../harness/daemon-process.ts";
import { eventually } from "../../harness/wait.ts";
import type { GantryAccess } from "./attacks/gantry.ts";
import type { LocalServer } from "./local-server.ts";

const SECRET = "canary-title-4f1d";

/** A real daemon with one private session, and an agent process that has revealed its own token. */
export async function startGantry(): Promise<{ server: LocalServer; access: GantryAccess }> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-hostile-"));
  const gantry = join(home, "gantry");
  mkdirSync(join(gantry, "agents"), { recursive: true, mode: 0o700 });
  const seen = join(home, "agent-environment");
  // An agent that speaks no protocol: the session stays in its handshake, and its token stays valid.
  const command = JSON.stringify(["/bin/sh", "-c", `env >> ${seen}; exec cat`]);
  writeFileSync(join(gantry, "agents", "mute.yml"), `id: mute\nname: Mute\nextends: acp\ncommand: ${command}\n`);
  const env = { HOME: home, GANTRY_HOME: gantry, PATH: process.env.PATH ?? "", SHELL: "/bin/sh" };
  const daemon = await startDaemonProcess(env);
  const client = createClient({ url: daemon.url, token: daemon.token });
  const other = await client.sessions.create({ agent: "mute", cwd: home, title: SECRET });
  const spy = await client.sessions.create({ agent: "mute", cwd: home, title: "spy", prompt: "hello" });
  // The daemon also starts the program to probe it, without a token.
  const token = await eventually("the agent has its token", () =>
    existsSync(seen) ? /^GANTRY_TOKEN=(.+)$/m.exec(readFileSync(seen, "utf8"))?.[1] : undefined,
  );
  const server: LocalServer = {
    name: "Gantry",
    url: daemon.url,
    owner: { authorization: `Bearer ${daemon.token}` },
    reading: { method: "GET", path: "/v1/sessions" },
    secret: SECRET,
    changing: { method: "POST", path: "/v1/sessions", body: { agent: "mute", cwd: home, title: "made by an attack" } },
    visit: async () => `${daemon.url}/#ticket=${(await client.ticket()).ticket}`,
    countChanges: async () => (await client.sessions.list({ q: "made by an attack", limit: 100 })).sessions.length,
    pid: daemon.pid,
    stop: async () => {
      await daemon.end("SIGTERM");
      rmSync(home, { recursive: true, force: true });
    },
  };
  return { server, access: { client, agent: { token, session: spy.id }, otherSession: other.id } };
}
