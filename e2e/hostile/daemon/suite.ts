import { DaemonHome } from "../../robustness/daemon-home.ts";
import type { Attack, Suite } from "../attack.ts";
import { environmentAttacks } from "./environment.ts";
import { fileAttacks } from "./files.ts";
import type { Scene } from "./scene.ts";
import { ticketAttacks } from "./tickets.ts";

/** Attacks on the daemon's files, on the environment of its agents and on its one-time tickets. */
export const daemonSuite: Suite = {
  name: "daemon",
  about:
    "A program of another user, or a caller with less than the owner's rights, against files, variables and tickets.",
  open: async () => {
    const place = new DaemonHome();
    const before = process.umask(0);
    const client = await place.start().finally(() => process.umask(before));
    const { url, token } = place.target;
    const ask: Scene["ask"] = (path, { bare, ...init } = {}) =>
      fetch(new URL(path, url), {
        ...init,
        redirect: "manual",
        headers: { ...(bare ? {} : { authorization: `Bearer ${token}` }), ...(init.headers as Record<string, string>) },
      });
    const scene: Scene = { place, client, url, token, ask };
    const attacks: Attack[] = [...environmentAttacks(scene), ...ticketAttacks(scene), ...fileAttacks(scene)];
    return { attacks, close: () => place.dispose() };
  },
};
