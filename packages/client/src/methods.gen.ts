// Generated from the route table by `npm run generate`.
import type { RouteBodyInput, RouteQuery } from "@gantry/protocol";
import type { CallRoute } from "./call.ts";

type Fields<T> = Required<NonNullable<T>>;

/** The methods of the client that map to one call each. They throw `GantryError`. */
export function createMethods(call: CallRoute) {
  return {
    /** Is the daemon alive? The only call without a token. */
    health: () => call("health"),
    /** A one-time ticket for opening the page. */
    ticket: () => call("createTicket"),
    /** Exchanges a ticket for a page credential. A ticket works once. */
    redeem: (ticket: Fields<RouteBodyInput<"redeemTicket">>["ticket"]) => call("redeemTicket", { body: { ticket } }),
    /** Revokes every page credential and every unused ticket, and ends the streams of open pages. */
    revokePages: () => call("revokePages"),
    /** Stops the daemon; agents are left running or released. */
    shutdown: (agents: Fields<RouteBodyInput<"stopDaemon">>["agents"] = "keep") => call("stopDaemon", { body: { agents } }),
    /** Everything that waits for a person, in all sessions. */
    inbox: async () => (await call("inbox")).inputs,
    /** Answers a pending input. The first answer wins; a second gets 409 with the first. */
    answer: (id: string, body: RouteBodyInput<"answerInput">) => call("answerInput", { params: { id }, body }),
    /** Standing permissions of all sessions. */
    grants: async () => (await call("listGrants")).grants,
    /** Revokes a standing permission. */
    revokeGrant: (id: string) => call("revokeGrant", { params: { id } }),
    agents: {
      /** Agents as they are installed; as a stream, a row as it lands. */
      list: async (refresh = false) => (await call("listAgents", { query: { refresh: refresh ? "1" : "0" } })).agents,
      /** One agent, asked anew with `refresh`, and every command there is to install it or to log it in. */
      get: (id: string, refresh = false) => call("getAgent", { params: { id }, query: { refresh: refresh ? "1" : "0" } }),
      /** Conversations that the agent keeps by itself, of one folder or of all; the agent is started to be asked. */
      conversations: (id: string, cwd?: NonNullable<RouteQuery<"listConversations">>["cwd"]) => call("listConversations", { params: { id }, query: { cwd } }),
    },
    sessions: {
      /** Creates a session, with a first prompt if one is given. The same id and body again: 200, the same session. */
      create: (body: RouteBodyInput<"createSession">) => call("createSession", { body }),
      /** Sessions, the newest first; archived ones only with `archived=1` (them alone) or `archived=all`, and those of identities only with `identities=1` or `identities=all`. */
      list: (query: RouteQuery<"listSessions"> = {}) => call("listSessions", { query }),
      /** A session that shows what there is to see, in a temporary project: no key, no network. The same id again: 200, the same session. */
      demo: (id?: NonNullable<RouteBodyInput<"startDemo">>["id"]) => call("startDemo", { body: { id } }),
      /** One session, with the agent's slash commands. */
      get: (id: string) => call("getSession", { params: { id } }),
      /** Changes title, model, mode, effort, budget or whether it goes on by itself after a limit; says what took effect and when. Archives a session, which releases its process, or brings it back. */
      patch: (id: string, body: RouteBodyInput<"patchSession">) => call("patchSession", { params: { id }, body }),
      /** Stops the session, then removes its log, spool and blobs. */
      delete: (id: string) => call("deleteSession", { params: { id } }),
      /** Stops the running turn; harmless when idle. */
      interrupt: (id: string, queue: Fields<RouteBodyInput<"interrupt">>["queue"] = "keep") => call("interrupt", { params: { id }, body: { queue } }),
      /** Releases the agent's process; the session is kept and resumes with the next message. */
      close: (id: string) => call("closeSession", { params: { id } }),
      /** One item whole, open or closed. */
      item: (id: string, item: string) => call("getItem", { params: { id, item } }),
      /** Sends a message. Acknowledged means on disk; the answer says what really happened to it. */
      send: (id: string, body: RouteBodyInput<"sendMessage">) => call("sendMessage", { params: { id }, body }),
      /** Edits or moves a queued message. */
      editMessage: (id: string, mid: string, body: RouteBodyInput<"patchMessage">) => call("patchMessage", { params: { id, mid }, body }),
      /** Cancels a queued message. */
      cancelMessage: (id: string, mid: string) => call("deleteMessage", { params: { id, mid } }),
      /** A new session that goes on from a turn of this one, with any agent: natively where that can be, else told of it from the log. Its files are those of that turn, in a lane of their own unless said otherwise. */
      fork: (id: string, body: RouteBodyInput<"forkSession"> = {}) => call("forkSession", { params: { id }, body }),
      /** The session's parent knows how this turn ended, and is not woken for it. */
      heard: (id: string, turn: Fields<RouteBodyInput<"hearSession">>["turn"]) => call("hearSession", { params: { id }, body: { turn } }),
    },
    limits: {
      /** Lets a session that waits for a limit go on now; harmless when it does not. */
      resumeSession: (id: string) => call("resumeSession", { params: { id } }),
      /** Limits that hold now: of providers' accounts and of budgets, with the sessions that wait for them. */
      list: async () => (await call("listLimits")).limits,
      /** Tries a limit now: the session that has waited longest goes first, the others follow when it succeeds. */
      resume: (id: string) => call("resumeLimit", { params: { id } }),
      /** Whether the sessions that wait for a limit go on by themselves; those that said so themselves stay as they are. */
      patch: (id: string, body: RouteBodyInput<"patchLimit">) => call("patchLimit", { params: { id }, body }),
    },
    turns: {
      /** The turns of a session in their order, with what they took and changed. */
      list: async (id: string) => (await call("listTurns", { params: { id } })).turns,
      /** What a turn changed, exactly; of a running one, so far. `path` narrows it to a file or folder. */
      diff: (id: string, turn: string, query: RouteQuery<"turnDiff"> = {}) => call("turnDiff", { params: { id, turn }, query }),
      /** Puts the files that a turn changed back to how they were before it (or after it). With `dry`, only says what would be done. */
      revert: (id: string, turn: string, body: RouteBodyInput<"revertTurn"> = {}) => call("revertTurn", { params: { id, turn }, body }),
      /** Takes a revert back; that can be taken back too. */
      undo: (id: string, revert: string, body: RouteBodyInput<"undoRevert"> = {}) => call("undoRevert", { params: { id, revert }, body }),
      /** A new session that goes on from a turn of this one, with any agent: natively where that can be, else told of it from the log. Its files are those of that turn, in a lane of their own unless said otherwise. */
      fork: (id: string, body: RouteBodyInput<"forkSession"> = {}) => call("forkSession", { params: { id }, body }),
    },
    files: {
      /** Files and folders below a session's folder, or below `cwd`, whose path has the letters of `q` in their order; the best first. */
      find: (query: RouteQuery<"findFiles">, signal?: AbortSignal) => call("findFiles", { query, signal }),
      /** The folders inside of a folder, or of the user's home, and those that sessions worked in last. */
      folders: (path?: NonNullable<RouteQuery<"listFolders">>["path"], signal?: AbortSignal) => call("listFolders", { query: { path }, signal }),
    },
    servers: {
      /** Servers of the Model Context Protocol that agents are given; of variables and headers only the names. */
      list: () => call("listMcpServers"),
      /** Adds a server, or replaces the one of this name. */
      put: (name: string, body: RouteBodyInput<"putMcpServer">) => call("putMcpServer", { params: { name }, body }),
      /** Removes a server. */
      delete: (name: string) => call("deleteMcpServer", { params: { name } }),
    },
    skills: {
      /** Skills that agents are given. */
      list: () => call("listSkills"),
      /** Links a folder that holds a `SKILL.md` of this name. */
      put: (name: string, path: Fields<RouteBodyInput<"putSkill">>["path"]) => call("putSkill", { params: { name }, body: { path } }),
      /** Removes the link to a skill; the folder itself stays. */
      delete: (name: string) => call("deleteSkill", { params: { name } }),
    },
    identities: {
      /** All identities, and what is wrong with the files of others. */
      list: () => call("listIdentities"),
      /** One identity with its persona and its memory. */
      get: (name: string) => call("getIdentity", { params: { name } }),
      /** Makes an identity, or changes it. Its session takes up the change with its next message. */
      put: (name: string, body: RouteBodyInput<"putIdentity">) => call("putIdentity", { params: { name }, body }),
      /** Removes an identity and archives its session. Persona and memory stay on disk, unless `purge` asks for their removal. */
      delete: (name: string, purge = false) => call("deleteIdentity", { params: { name }, query: { purge: purge ? "1" : "0" } }),
      /** Sends a message to the one session of an identity, which begins with the first. */
      send: (name: string, body: RouteBodyInput<"sendToIdentity">) => call("sendToIdentity", { params: { name }, body }),
    },
    models: {
      /** Models that are available in a folder (`all=1`: all there are), by provider and by their makers' names, and what is wrong with models.yml. */
      list: (query: RouteQuery<"listModels"> = {}) => call("listModels", { query }),
      /** What a selector such as `claude-opus-4-8:high` or `gantry/executor` means, and why. */
      resolve: (q: Fields<RouteQuery<"resolveModel">>["q"], cwd?: NonNullable<RouteQuery<"resolveModel">>["cwd"]) => call("resolveModel", { query: { q, cwd } }),
    },
    profiles: {
      /** Local profiles as their files are, with what is wrong with them. */
      list: async () => (await call("listProfiles")).profiles,
      /** Writes a profile, or replaces it. One with a mistake is refused with the lines in `details`, and nothing is changed. */
      put: (id: string, text: Fields<RouteBodyInput<"putProfile">>["text"]) => call("putProfile", { params: { id }, body: { text } }),
      /** Removes a profile; its sessions are kept. */
      delete: (id: string) => call("deleteProfile", { params: { id } }),
    },
    settings: {
      /** Every setting with its value, its default, what it does and when a change of it is in force. */
      get: () => call("getSettings"),
      /** Changes settings by key, such as `deadlines.turnSeconds`; `null` goes back to the default. All of them or none; comments in the file stay. */
      change: (body: RouteBodyInput<"patchSettings">) => call("patchSettings", { body }),
    },
    launches: {
      /** Sends one prompt to several agents, each in a lane of its own. The same id and body again: 200, the same launch. */
      create: (body: RouteBodyInput<"createLaunch">) => call("createLaunch", { body }),
      /** Launches, the newest first. */
      list: async () => (await call("listLaunches")).launches,
      /** One launch with the state of each slot. */
      get: (id: string) => call("getLaunch", { params: { id } }),
      /** Cancels a launch: its turns are interrupted, lanes to which nothing was sent are removed, the others stay. With `forget`, one that is over is no longer listed. */
      cancel: (id: string, forget = false) => call("cancelLaunch", { params: { id }, query: { forget: forget ? "1" : "0" } }),
      /** What the agents of a launch did, side by side; `patch=0` leaves the patches out. */
      compare: (id: string, patch = true) => call("compareLaunch", { params: { id }, query: { patch: patch ? "1" : "0" } }),
      /** Runs a command in each lane of a launch; how it ends is seen in the comparison. */
      check: async (id: string, body: RouteBodyInput<"checkLaunch"> = {}) => (await call("checkLaunch", { params: { id }, body })).checks,
    },
    landings: {
      /** Lands a lane on its base, or pushes it for a pull request. Answers when it is done; a refusal has changed nothing. */
      land: (id: string, body: RouteBodyInput<"landLane"> = {}) => call("landLane", { params: { id }, body }),
      /** Brings a lane up to date with its base. Refuses a lane with uncommitted changes unless told to keep them. */
      update: (id: string, body: RouteBodyInput<"updateLane"> = {}) => call("updateLane", { params: { id }, body }),
      /** How a lane stands to its base and to every other lane, uncommitted changes included. */
      conflicts: (id: string) => call("laneConflicts", { params: { id } }),
      /** Conflicts between all lanes of each repository, and an order to land them in. */
      matrices: async (repository?: NonNullable<RouteQuery<"conflicts">>["repository"]) => (await call("conflicts", { query: { repository } })).repositories,
      /** Landings, the newest first. */
      list: async (lane?: NonNullable<RouteQuery<"listLandings">>["lane"]) => (await call("listLandings", { query: { lane } })).landings,
      /** One landing. */
      get: (id: string) => call("getLanding", { params: { id } }),
      /** Moves the base back to where it was before; refuses when it has gone on since. */
      undo: (id: string) => call("undoLanding", { params: { id } }),
    },
    schedules: {
      /** Schedules, the oldest first; with `session`, those that send to it. */
      list: async (session?: NonNullable<RouteQuery<"listSchedules">>["session"]) => (await call("listSchedules", { query: { session } })).schedules,
      /** Sends a message to a session, or begins a session with it, at a time, every so often, or after another session. The same id and body again: 200, the same schedule. */
      add: (body: RouteBodyInput<"createSchedule">) => call("createSchedule", { body }),
      /** One schedule. */
      get: (id: string) => call("getSchedule", { params: { id } }),
      /** Changes a schedule, pauses it (`enabled: false`) or lets it go on. */
      change: (id: string, body: RouteBodyInput<"patchSchedule">) => call("patchSchedule", { params: { id }, body }),
      /** Removes a schedule; what it has sent stays. */
      delete: (id: string) => call("deleteSchedule", { params: { id } }),
      /** Runs it now. One that is to run once has then run. */
      run: (id: string) => call("runSchedule", { params: { id } }),
    },
    lanes: {
      /** Lanes of the repository that `cwd` lies in, or of all that are known, the primary one first; archived ones with `archived=1` (them alone) or `archived=all`. A plain folder is a primary lane that says what is missing. */
      list: (query: RouteQuery<"listLanes"> = {}) => call("listLanes", { query }),
      /** Makes a worktree with a branch of its own, or on a branch that exists, or adopts one. Answers when it can be worked in; its set-up goes on. The same id and body again: 200, the same lane. */
      create: (body: RouteBodyInput<"createLane">) => call("createLane", { body }),
      /** Lanes that may be in the way, with the reasons, and whether they can be removed without force. */
      suggestions: async (cwd?: NonNullable<RouteQuery<"laneSuggestions">>["cwd"]) => (await call("laneSuggestions", { query: { cwd } })).suggestions,
      /** Removed lanes that can be had back, the newest first. */
      undos: async (cwd?: NonNullable<RouteQuery<"laneUndos">>["cwd"]) => (await call("laneUndos", { query: { cwd } })).undos,
      /** One lane. */
      get: (id: string) => call("getLane", { params: { id } }),
      /** Renames a lane, and its branch if nothing of it was pushed; archives it or brings it back. Its path stays. */
      patch: (id: string, body: RouteBodyInput<"patchLane">) => call("patchLane", { params: { id }, body }),
      /** Removes a lane and the branch that was made for it; its sessions stay. Refused while it holds work, is locked or in use, unless `force=1`. What was in it is kept under an undo ref. An adopted worktree is only forgotten. */
      remove: (id: string, force = false) => call("removeLane", { params: { id }, query: { force: force ? "1" : "0" } }),
      /** Brings a removed lane back, commits and files, or makes the folder of one anew that is gone. */
      undo: (id: string, ref?: NonNullable<RouteBodyInput<"undoLane">>["ref"]) => call("undoLane", { params: { id }, body: { ref } }),
      /** What is different from where lane and base parted, with what is not committed and not tracked. `limit` is in bytes of the patch; `file` narrows to one. */
      diff: (id: string, query: RouteQuery<"laneDiff"> = {}) => call("laneDiff", { params: { id }, query }),
      /** The last run of the set-up command and the end of what it printed, also while it runs. */
      setup: (id: string) => call("laneSetup", { params: { id } }),
      /** Runs the set-up command once more. */
      runSetup: (id: string) => call("runLaneSetup", { params: { id } }),
      /** The lane that a session works in: its own, the primary one, or a plain folder with what is missing there. */
      ofSession: (id: string) => call("sessionLane", { params: { id } }),
    },
    terminals: {
      /** Opens a terminal: with what is offered for an agent, with a command, or with the user's login shell. */
      open: (body: RouteBodyInput<"openTerminal"> = {}) => call("openTerminal", { body }),
      /** Terminals, the oldest first; those that have ended are kept for a while. */
      list: async () => (await call("listTerminals")).terminals,
      /** One terminal; as a stream, `output` from byte `after` on (or Last-Event-ID), `gap` for what is no longer kept, then `exit`. */
      get: (id: string) => call("getTerminal", { params: { id } }),
      /** Types into a terminal. */
      type: (id: string, data: Fields<RouteBodyInput<"typeIntoTerminal">>["data"]) => call("typeIntoTerminal", { params: { id }, body: { data } }),
      /** Tells a terminal how large it is shown. */
      resize: (id: string, cols: Fields<RouteBodyInput<"resizeTerminal">>["cols"], rows: Fields<RouteBodyInput<"resizeTerminal">>["rows"]) => call("resizeTerminal", { params: { id }, body: { cols, rows } }),
      /** Ends everything that runs in a terminal, and forgets it. */
      close: (id: string) => call("closeTerminal", { params: { id } }),
    },
    previews: {
      /** Shows a dev server on loopback under an origin of its own. */
      open: (body: RouteBodyInput<"openPreview">) => call("openPreview", { body }),
      /** Open previews, the oldest first. */
      list: async () => (await call("listPreviews")).previews,
      /** Ends a preview; the dev server goes on. */
      close: (id: string) => call("closePreview", { params: { id } }),
    },
    imports: {
      /** Conversations that agents have on this machine's disk, the newest first; no agent is started. As a stream, one `conversation` a row as it is found. */
      list: (query: RouteQuery<"listImports"> = {}) => call("listImports", { query }),
      /** Makes a session of an agent's own conversation, which the next message goes on with. The same one again: 200, the same session. As a stream, `progress` and then `session`. */
      conversation: (body: RouteBodyInput<"importConversation">) => call("importConversation", { body }),
    },
  };
}
