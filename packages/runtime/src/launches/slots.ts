import { createHash } from "node:crypto";
import type { ControlChanges, CreateLaunch, Mode } from "@gantry/protocol";
import { freeName, LONGEST_NAME, nameFrom, slugOf } from "../lanes/names.ts";

/** One agent of a launch with its lane and session. All ids derive from the launch's id. */
export type Slot = {
  agent: string;
  model?: string | null;
  mode?: Mode | null;
  effort?: string | null;
  controls?: ControlChanges;
  lane: string;
  name: string;
  session: string;
  message: string;
  /** Why no message could be sent to it. */
  error?: { code: string; message: string; remedy?: string };
  /** Its lane was removed again. */
  cleaned?: boolean;
};

const LONGEST_TAIL = 100;

/**
 * The slots of a launch, with `count` expanded. Deterministic, so that a restarted launch finds its parts by id and never
 * creates or sends anything twice. `taken` holds the lane names in use.
 */
export function slotsOf(id: string, body: CreateLaunch, taken: (name: string) => boolean): Slot[] {
  const tail = tailOf(id);
  const used = new Set<string>();
  const requested = body.slots.flatMap(({ count = 1, ...slot }) => Array.from({ length: count }, () => slot));
  return requested.map((slot, index) => {
    const place = `${tail}_${index + 1}`;
    const name = freeName(laneName(body, slot.agent), (one) => used.has(one.toLowerCase()) || taken(one));
    used.add(name.toLowerCase());
    return { ...slot, lane: `lan_${place}`, name, session: `ses_${place}`, message: `msg_${place}` };
  });
}

/** The common part of the names of a launch's lanes. */
export function launchName({ name, prompt }: Pick<CreateLaunch, "name" | "prompt">): string {
  return name === undefined ? nameFrom(prompt) : slugOf(name);
}

function laneName(body: CreateLaunch, agent: string): string {
  const room = LONGEST_NAME - agent.length - 1;
  return `${[...launchName(body)].slice(0, room).join("").replace(/-+$/, "")}-${agent}`;
}

/** Shortens a client's id to leave room for the number. */
function tailOf(id: string): string {
  const tail = id.replace(/^lau_/, "");
  return tail.length <= LONGEST_TAIL ? tail : createHash("sha256").update(tail).digest("hex").slice(0, 40);
}
