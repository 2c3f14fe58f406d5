import type { Attack, Suite } from "../attack.ts";
import { openBrowserAttacks } from "./attacks/browser.ts";
import { callerAttacks } from "./attacks/callers.ts";
import { gantryAttacks } from "./attacks/gantry.ts";
import { nameAttacks } from "./attacks/names.ts";
import { overloadAttacks } from "./attacks/overload.ts";
import { pathAttacks } from "./attacks/paths.ts";
import { startGantry } from "./gantry-server.ts";
import type { LocalServer, NetworkAttack } from "./local-server.ts";
import { startPeers } from "./peer-servers.ts";

/** Attacks that apply to every server on loopback. The overload comes last. */
const SHARED: readonly NetworkAttack[] = [...nameAttacks, ...callerAttacks, ...pathAttacks];

export const localhost: Suite = {
  name: "localhost",
  about: "Another program of the machine, another user, or a web page calls the daemon's port without its credential.",
  async open() {
    const { server, access } = await startGantry();
    const browser = openBrowserAttacks();
    const attacks = [...SHARED, ...browser.attacks, ...gantryAttacks(access), ...overloadAttacks];
    return {
      attacks: attacks.map((attack) => against(server, attack)),
      close: async () => {
        await browser.close();
        await server.stop();
      },
    };
  },
};

/** The shared part against the peers, for comparison. One column per peer that could be installed. */
export async function openPeerSuites(): Promise<{ suites: Suite[]; missing: string[] }> {
  const { servers, missing } = await startPeers();
  const suites = servers.map(
    (server): Suite => ({
      name: server.name,
      about: `The same attacks against ${server.name}.`,
      async open() {
        const browser = openBrowserAttacks();
        return {
          attacks: [...SHARED, ...browser.attacks, ...overloadAttacks].map((attack) => against(server, attack)),
          close: async () => {
            await browser.close();
            await server.stop();
          },
        };
      },
    }),
  );
  return { suites, missing };
}

function against(server: LocalServer, { name, class: group, run }: NetworkAttack): Attack {
  return { name, class: group, run: () => run(server) };
}
