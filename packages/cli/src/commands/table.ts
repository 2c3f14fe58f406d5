import { agents, conversations, decode, install, login, terminal } from "./agents/commands.ts";
import { auth } from "./auth/commands.ts";
import { complete, completion, help } from "./completion/commands.ts";
import { serve, status, stop, web } from "./daemon/commands.ts";
import { doctor } from "./doctor/commands.ts";
import { handoff } from "./handoff/commands.ts";
import { identity } from "./identities/commands.ts";
import { allow, answer, deny, grants, inbox } from "./inputs/commands.ts";
import { servers, skills } from "./kit/commands.ts";
import { lanes } from "./lanes/commands.ts";
import { compare, launch, launches } from "./launches/commands.ts";
import { budget, limits } from "./limits/commands.ts";
import { models } from "./models/commands.ts";
import { agent, demo } from "./own-agent/commands.ts";
import { schedule } from "./schedules/commands.ts";
import { archive, close, logs, ls, rename, rm, search, show } from "./sessions/commands.ts";
import { exportCommand, importCommand } from "./transfer/commands.ts";
import { trust } from "./trust/commands.ts";
import { diff, fork, revert, turns } from "./turns/commands.ts";
import { usage } from "./usage/commands.ts";
import { attach, interrupt, queue, run, send, steer, wait } from "./work/commands.ts";

/**
 * Every command of `gantry`, grouped and ordered as on the first help screen. A definition loads the code of its command
 * on first use. To add a command, define it in the folder of its area and list it here.
 */
export const commandGroups = {
  Work: { run, launch, send, steer, attach, wait, interrupt, queue, handoff, schedule, lanes, identity },
  Look: { ls, show, logs, turns, diff, search, usage, limits, launches, compare },
  Decide: { inbox, answer, allow, deny, grants, trust },
  "Keep house": { rename, close, archive, fork, revert, rm, export: exportCommand, import: importCommand, budget },
  Agents: {
    agent,
    agents,
    models,
    conversations,
    install,
    login,
    auth,
    doctor,
    servers,
    skills,
    decode,
    terminal,
  },
  Daemon: { serve, stop, status, web },
  More: { demo, completion, help },
};

/** Called by the completion scripts; not shown in help. */
export const hiddenCommands = { __complete: complete };
