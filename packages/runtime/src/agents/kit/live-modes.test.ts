import { ladder, type Mode } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { Channel, LaunchOptions } from "../contract.ts";
import { launch } from "../json-lines/recordings.fake.ts";
import { builtInAgents } from "../registry.ts";

/** The parts of a start that a running process can change: its own mode, or the mode of the extension that asks. */
const changeable = /,?"--permission-mode","[\w-]+"|start: \\"[a-z-]+\\"/g;

const offers = { ids: { mode: "mode" }, options: ["mode"], ownModels: true, ownModes: true };
const open = { phase: "open", session: "s", thread: "t", both: true, settings: {}, offers };

const channels = builtInAgents.flatMap((agent) =>
  agent.channels
    .filter(({ perTurn }) => !perTurn)
    .map((channel) => ({ id: agent.id, name: channel.name, channel: channel as unknown as Channel<object> })),
);

test.each(channels)("$id $name changes only to a mode for which its process was started", ({ channel }) => {
  const ownRules = { deny: [], ask: ["Read(x)"] };
  const options = (mode: Mode): LaunchOptions => ({ ...launch, mode, ownRules });
  const start = (mode: Mode) => JSON.stringify(channel.launch(options(mode))).replaceAll(changeable, "");
  for (const from of [...ladder, "inherit"] as const) {
    const initial = channel.initial(options(from));
    const state = "options" in initial ? { ...initial, ...open } : initial;
    for (const to of ladder) {
      const isLive = (channel.encode(state, { type: "set", mode: to }) ?? []).length > 0;
      if (isLive) expect.soft(start(to), `${from} to ${to}`).toBe(start(from));
    }
  }
});
