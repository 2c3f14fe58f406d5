import { createHash } from "node:crypto";
import type { CreateLaunch, Mode } from "@gantry/protocol";
import { freeName, LONGEST_NAME, nameFrom, slugOf } from "../lanes/names.ts";

/** One agent of a launch and what is made for it. All ids follow from the launch's own. */
export type Slot = {
  agent: string;
  model?: string;
  mode?: Mode;
  effort?: string;
  lane: string;
  name: string;
  session: string;
  message: string;
  /** Why nothing could be sent to it. */
  error?: { code: string; message: string; remedy?: string };
  /** Its lane was taken away again. */
  cleaned?: boolean;
};

const LONGEST_TAIL = 100;

/**
 * The slots of a launch, `count` written out. The same launch has the same slots whenever it is asked, so what a crash
 * cut off is found again under its id and never made or sent twice. `taken` says which names of lanes are in use.
 */
export function slotsOf(id: string, body: CreateLaunch, taken: (name: string) => boolean): Slot[] {
  const tail = tailOf(id);
  const used = new Set<string>();
  const wanted = body.slots.flatMap(({ count = 1, ...slot }) => Array.from({ length: count }, () => slot));
  return wanted.map((slot, index) => {
    const place = `${tail}_${index + 1}`;
    const name = freeName(laneName(body, slot.agent), (one) => used.has(one.toLowerCase()) || taken(one));
    used.add(name.toLowerCase());
    return { ...slot, lane: `lan_${place}`, name, session: `ses_${place}`, message: `msg_${place}` };
  });
}

/** What the lanes of a launch have in common. */
export function launchName({ name, prompt }: Pick<CreateLaunch, "name" | "prompt">): string {
  return name === undefined ? nameFrom(prompt) : slugOf(name);
}

function laneName(body: CreateLaunch, agent: string): string {
  const room = LONGEST_NAME - agent.length - 1;
  return `${[...launchName(body)].slice(0, room).join("").replace(/-+$/, "")}-${agent}`;
}

/** A long id of a client's own would not leave room for the number behind it. */
function tailOf(id: string): string {
  const tail = id.replace(/^lau_/, "");
  return tail.length <= LONGEST_TAIL ? tail : createHash("sha256").update(tail).digest("hex").slice(0, 40);
}
