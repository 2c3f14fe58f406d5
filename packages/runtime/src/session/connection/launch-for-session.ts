import { setTimeout as sleep } from "node:timers/promises";
import { type Envelope, type Failure, failure, offerIn, type SessionView, withOffer } from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";
import { versionProblem } from "../../agents/probing/version-range.ts";
import type { ActorDeps } from "../actor-deps.ts";
import type { Injection } from "../engine/state.ts";
import { usableFolders, withheldIn } from "../extra-folders/extra-folders.ts";
import { readLog } from "../read-log.ts";
import type { PinnedContext } from "./pinned-context.ts";
import type { PromptHold } from "./prompt-hold.ts";
import { type Startable, type StartResult, startProcess } from "./start-process.ts";
import { untrustedFailure, untrustedNotice } from "./untrusted.ts";

export type SessionLaunch = {
  deps: ActorDeps;
  /** The id of the new process. */
  id: string;
  /** The session's view, which may change while the launch waits. */
  view: () => SessionView;
  /** The first process of the turn failed: probe the agent again. */
  isRestart: boolean;
  brief?: string;
  hold: PromptHold;
  pinned: PinnedContext;
  isDisposed: () => boolean;
  /** Aborted when the process is no longer wanted. */
  signal: AbortSignal;
  notify: (text: string) => void;
};

/**
 * Resolves the agent, waits until its conversation may be resumed, and starts its process. `undefined`: the process is no
 * longer wanted. `untrusted` names the project's code that the agent was started without, `version` the reason why its
 * version is not supported. Never rejects.
 */
export async function launchForSession(
  request: SessionLaunch,
): Promise<(StartResult & { untrusted?: string; version?: string; injection?: Injection }) | undefined> {
  const { deps, id, view, hold, pinned, brief } = request;
  const { store, spool, now } = deps;
  try {
    const startable = await deps.resolve(view(), request.isRestart);
    if (!(await waitUntilResumable(request, startable))) return undefined;
    if (startable.channel.perTurn) {
      // Such a process starts its work at once.
      await hold.released;
      if (request.isDisposed() || !view().turn) return undefined;
    }
    const env = { ...deps.env, ...deps.surroundings(view()) };
    const { agent, channel, version = "" } = startable;
    const { found, withheld, lostMemory } = deps.projectCode(agent, view().cwd);
    const context = pinned.atStart(view(), withInstructions(startable, lostMemory));
    const { hints } = deps.config.prompt;
    const added = usableFolders(view(), deps.protectedPlaces, withheldIn(deps, agent, view().cwd));
    const refusal = untrustedFailure(agent, [channel], { ...view(), version }, withheld);
    if (refusal) return { ok: false, failure: refusal };
    const place = {
      store,
      spool,
      env,
      id,
      now,
      view: view(),
      ...(found.length > 0 ? { project: withheld.length > 0 ? ("untrusted" as const) : ("trusted" as const) } : {}),
    };
    const folders = [...added.folders, ...(context.folders ?? [])];
    const started = await startProcess({ ...place, hints, brief, ...context, folders, missing: added.notices });
    const notices = {
      untrusted: untrustedNotice(agent, view().cwd, withheld),
      version: versionNotice(startable),
    };
    return started.ok && started.pinnedHash
      ? { ...started, ...notices, injection: context.injection }
      : { ...started, ...notices };
  } catch (error) {
    return { ok: false, failure: startFailure(error as StartError) };
  }
}

function versionNotice({ agent, version }: Startable): string | undefined {
  const problem = versionProblem(agent, version);
  return problem && `${problem.message} ${problem.fix}`;
}

function withInstructions(startable: Startable, text: string | undefined): Startable {
  const { kit } = startable;
  const instructions = [kit.instructions, text].filter((part) => part).join("\n\n");
  return text ? { ...startable, kit: { ...kit, instructions } } : startable;
}

/** `false`: the process is no longer wanted. */
async function waitUntilResumable(
  { deps, view, signal, isDisposed, notify }: SessionLaunch,
  { agent, channel }: Startable,
): Promise<boolean> {
  const conversation = { agent: agent.id, handle: view().handles[agent.id] };
  const ms = resumeDelayMs(channel, conversation, readLog(deps.store, view().id), Date.parse(deps.now()));
  if (ms === 0) return true;
  const seconds = Math.ceil(ms / 1000);
  notify(`${agent.name} loses a conversation that is resumed too soon. Gantry resumes it in ${seconds} s.`);
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted && !isDisposed() && view().turn !== undefined;
}

type StartError = Error & { remedy?: string; details?: unknown };

function startFailure({ message, remedy, details }: StartError): Failure {
  const failed = failure("crashed", message, remedy ?? "Run `gantry doctor` to check the agent.");
  return withOffer(failed, offerIn(details));
}

/**
 * Milliseconds until another process may resume the conversation. `events` is the session's log, which has the time when
 * the conversation was opened; it is read only for channels with such a delay.
 */
export function resumeDelayMs(
  channel: Channel<never>,
  conversation: { agent: string; handle: string | undefined },
  events: Iterable<Envelope>,
  now: number,
): number {
  const { agent, handle } = conversation;
  if (!channel.resumableFrom || !handle) return 0;
  for (const event of events) {
    if (event.type !== "session.updated" || event.data.patch.handles?.[agent] !== handle) continue;
    return Math.max(0, channel.resumableFrom(Date.parse(event.at)) - now);
  }
  return 0;
}
