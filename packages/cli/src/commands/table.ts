import type { Command, RouteMap } from "@stricli/core";
import type { Context } from "../program/context.ts";

type Definition = Command<Context> | RouteMap<Context>;
type Loader = () => Promise<Definition>;

/**
 * Every command of `gantry`, grouped and ordered as on the first help screen. An entry loads the definition of its command,
 * and the definition loads the code on first use. To add a command, define it in the folder of its area and list it here.
 */
export const commandGroups = {
  Work: {
    tui: async () => (await import("./tui/commands.ts")).tui,
    run: async () => (await import("./work/commands.ts")).run,
    launch: async () => (await import("./launches/commands.ts")).launch,
    send: async () => (await import("./work/commands.ts")).send,
    steer: async () => (await import("./work/commands.ts")).steer,
    attach: async () => (await import("./work/commands.ts")).attach,
    wait: async () => (await import("./work/commands.ts")).wait,
    interrupt: async () => (await import("./work/commands.ts")).interrupt,
    queue: async () => (await import("./work/commands.ts")).queue,
    set: async () => (await import("./sessions/commands.ts")).set,
    handoff: async () => (await import("./handoff/commands.ts")).handoff,
    prompts: async () => (await import("./prompts/commands.ts")).prompts,
    schedule: async () => (await import("./schedules/commands.ts")).schedule,
    lanes: async () => (await import("./lanes/commands.ts")).lanes,
    projects: async () => (await import("./projects/commands.ts")).projects,
    identity: async () => (await import("./identities/commands.ts")).identity,
  },
  Inspect: {
    ls: async () => (await import("./sessions/commands.ts")).ls,
    show: async () => (await import("./sessions/commands.ts")).show,
    logs: async () => (await import("./sessions/commands.ts")).logs,
    tasks: async () => (await import("./tasks/commands.ts")).tasks,
    ps: async () => (await import("./daemon/commands.ts")).ps,
    turns: async () => (await import("./turns/commands.ts")).turns,
    diff: async () => (await import("./turns/commands.ts")).diff,
    comments: async () => (await import("./review/commands.ts")).comments,
    search: async () => (await import("./sessions/commands.ts")).search,
    usage: async () => (await import("./usage/commands.ts")).usage,
    limits: async () => (await import("./limits/commands.ts")).limits,
    launches: async () => (await import("./launches/commands.ts")).launches,
    compare: async () => (await import("./launches/commands.ts")).compare,
  },
  Decide: {
    inbox: async () => (await import("./inputs/commands.ts")).inbox,
    answer: async () => (await import("./inputs/commands.ts")).answer,
    allow: async () => (await import("./inputs/commands.ts")).allow,
    deny: async () => (await import("./inputs/commands.ts")).deny,
    grants: async () => (await import("./inputs/commands.ts")).grants,
    trust: async () => (await import("./trust/commands.ts")).trust,
    push: async () => (await import("./push/commands.ts")).push,
  },
  Manage: {
    rename: async () => (await import("./sessions/commands.ts")).rename,
    close: async () => (await import("./sessions/commands.ts")).close,
    archive: async () => (await import("./sessions/commands.ts")).archive,
    fork: async () => (await import("./turns/commands.ts")).fork,
    revert: async () => (await import("./turns/commands.ts")).revert,
    stage: async () => (await import("./review/commands.ts")).stage,
    commit: async () => (await import("./review/commands.ts")).commit,
    rm: async () => (await import("./sessions/commands.ts")).rm,
    export: async () => (await import("./transfer/commands.ts")).exportCommand,
    import: async () => (await import("./transfer/commands.ts")).importCommand,
    budget: async () => (await import("./limits/commands.ts")).budget,
  },
  Agents: {
    agent: async () => (await import("./own-agent/commands.ts")).agent,
    agents: async () => (await import("./agents/commands.ts")).agents,
    commands: async () => (await import("./agents/commands.ts")).commands,
    models: async () => (await import("./models/commands.ts")).models,
    conversations: async () => (await import("./agents/commands.ts")).conversations,
    install: async () => (await import("./agents/commands.ts")).install,
    uninstall: async () => (await import("./agents/commands.ts")).uninstall,
    login: async () => (await import("./agents/commands.ts")).login,
    auth: async () => (await import("./auth/commands.ts")).auth,
    doctor: async () => (await import("./doctor/commands.ts")).doctor,
    servers: async () => (await import("./kit/commands.ts")).servers,
    skills: async () => (await import("./kit/commands.ts")).skills,
    decode: async () => (await import("./agents/commands.ts")).decode,
    terminal: async () => (await import("./agents/commands.ts")).terminal,
    acp: async () => (await import("./acp/commands.ts")).acp,
  },
  Daemon: {
    serve: async () => (await import("./daemon/commands.ts")).serve,
    stop: async () => (await import("./daemon/commands.ts")).stop,
    status: async () => (await import("./daemon/commands.ts")).status,
    web: async () => (await import("./daemon/commands.ts")).web,
    mcp: async () => (await import("./mcp/commands.ts")).mcp,
    service: async () => (await import("./service/commands.ts")).service,
    upgrade: async () => (await import("./upgrade/commands.ts")).upgrade,
  },
  More: {
    demo: async () => (await import("./own-agent/commands.ts")).demo,
    completion: async () => (await import("./completion/commands.ts")).completion,
    help: async () => (await import("./completion/commands.ts")).help,
    version: async () => (await import("./upgrade/commands.ts")).version,
  },
} satisfies Record<string, Record<string, Loader>>;

/** `__complete` is called by the completion scripts and is not shown in help. */
const loaders: Record<string, Loader> = {
  ...Object.assign({}, ...Object.values(commandGroups)),
  __complete: async () => (await import("./completion/commands.ts")).complete,
};

/** Commands that read the definitions of other commands. */
const READS_ALL = new Set(["help", "__complete"]);

/**
 * The definition of the command that a command line names, which is a small part of all of them. All definitions if it names
 * none, or one that reads the others.
 */
export async function loadCommands(name: string | undefined): Promise<Record<string, Definition>> {
  // The version needs no command, but the parser needs one.
  const needed = name === "--version" || name === "-V" ? "ls" : name;
  const chosen = Object.entries(loaders).filter(([each]) => each === needed && !READS_ALL.has(each));
  const wanted = chosen.length > 0 ? chosen : Object.entries(loaders);
  return Object.fromEntries(await Promise.all(wanted.map(async ([each, load]) => [each, await load()] as const)));
}
