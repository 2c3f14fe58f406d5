// Generated from the route table by `npm run generate`.
import type { RouteBodyInput, RouteQuery } from "@gantry/protocol";
import type { CallRoute } from "./call.ts";

type Fields<T> = Required<NonNullable<T>>;

/** The methods of the client that map to one call each. They throw `GantryError`. */
export function createMethods(call: CallRoute) {
  return {
    /** Reports that the daemon is alive. Needs no token. */
    health: () => call("health"),
    /** Creates a one-time ticket that opens the page. */
    ticket: () => call("createTicket"),
    /** Exchanges a ticket for a page credential. A ticket works once. */
    redeem: (ticket: Fields<RouteBodyInput<"redeemTicket">>["ticket"]) => call("redeemTicket", { body: { ticket } }),
    /** Revokes every page credential and every unused ticket, and ends the streams of open pages. */
    revokePages: () => call("revokePages"),
    /** Lists the agent processes that run, the longest idle first, and the largest number of them. */
    processes: () => call("listProcesses"),
    /** Stops the daemon; agents are left running or released. */
    shutdown: (agents: Fields<RouteBodyInput<"stopDaemon">>["agents"] = "keep") => call("stopDaemon", { body: { agents } }),
    /** Lists all pending inputs of all sessions. A lead gets those of the sessions below it. */
    inbox: async () => (await call("inbox")).inputs,
    /** Answers a pending input. The first answer wins; a later one gets 409 with the first. */
    answer: (id: string, body: RouteBodyInput<"answerInput">) => call("answerInput", { params: { id }, body }),
    /** Lists the grants of all sessions. */
    grants: async () => (await call("listGrants")).grants,
    /** Revokes a grant. */
    revokeGrant: (id: string) => call("revokeGrant", { params: { id } }),
    agents: {
      /** Lists the agents on this machine; as a stream, each row when its probe ends. */
      list: async (refresh = false) => (await call("listAgents", { query: { refresh: refresh ? "1" : "0" } })).agents,
      /** Returns one agent and its setup commands (install, login); `refresh` probes it again. */
      get: (id: string, refresh = false) => call("getAgent", { params: { id }, query: { refresh: refresh ? "1" : "0" } }),
      /** Lists slash commands, skills and output styles that the agent has in a folder. Does not start the agent. */
      commands: (id: string, cwd?: NonNullable<RouteQuery<"listCommands">>["cwd"]) => call("listCommands", { params: { id }, query: { cwd } }),
      /** Lists the conversations that the agent stores, of one folder or of all. Starts the agent to query it. */
      conversations: (id: string, cwd?: NonNullable<RouteQuery<"listConversations">>["cwd"]) => call("listConversations", { params: { id }, query: { cwd } }),
    },
    sessions: {
      /** Creates a session, optionally with a first prompt. Idempotent: the same id and body return 200 and the same session. */
      create: (body: RouteBodyInput<"createSession">) => call("createSession", { body }),
      /** Lists sessions, newest first; `open=1`: only those that need you, work or are held. Archived sessions need `archived=1` (only those) or `archived=all`; sessions of identities need `identities=1` or `identities=all`. */
      list: (query: RouteQuery<"listSessions"> = {}) => call("listSessions", { query }),
      /** Starts a demo session in a temporary project, without key or network. Idempotent: the same id returns 200 and the same session. */
      demo: (id?: NonNullable<RouteBodyInput<"startDemo">>["id"]) => call("startDemo", { body: { id } }),
      /** Returns one session, with the agent's slash commands. */
      get: (id: string) => call("getSession", { params: { id } }),
      /** Changes title, model, mode, effort, budget or automatic resume; the response lists when each change takes effect. Archives a session, which releases its process, or restores it. */
      patch: (id: string, body: RouteBodyInput<"patchSession">) => call("patchSession", { params: { id }, body }),
      /** Stops the session, then removes its log, spool and blobs. */
      delete: (id: string) => call("deleteSession", { params: { id } }),
      /** Stops the running turn. Queued messages and steers that the agent has not read are held until the queue is resumed (`pause`, the default), run next (`keep`), or are cancelled (`clear`). */
      interrupt: (id: string, queue: Fields<RouteBodyInput<"interrupt">>["queue"] = "pause") => call("interrupt", { params: { id }, body: { queue } }),
      /** Pauses or resumes the queue. A paused queue starts no turn; it starts running again when it is empty. */
      setQueue: (id: string, state: Fields<RouteBodyInput<"changeQueue">>["state"]) => call("changeQueue", { params: { id }, body: { state } }),
      /** Starts the agent's process before the first message, if the setting `processes.warmUp` is on. */
      warmUp: (id: string) => call("warmUpSession", { params: { id } }),
      /** Asks the running agent what fills its context. The answer is an event `context.usage` with `parts`, and `context.parts` of the session. The agent may count tokens at its provider for it. */
      requestContext: (id: string) => call("requestContext", { params: { id } }),
      /** Releases the agent's process; the session resumes with the next message. */
      close: (id: string) => call("closeSession", { params: { id } }),
      /** Returns one item in full, open or closed. */
      item: (id: string, item: string) => call("getItem", { params: { id, item } }),
      /** Sends a message. A response means that it is on disk; `disposition` reports whether it started a turn, steers one or is queued. */
      send: (id: string, body: RouteBodyInput<"sendMessage">) => call("sendMessage", { params: { id }, body }),
      /** Edits or moves a queued message, or sends it now. */
      editMessage: (id: string, mid: string, body: RouteBodyInput<"patchMessage">) => call("patchMessage", { params: { id, mid }, body }),
      /** Cancels a queued message. A message that was sent into the running turn is taken back, if the agent allows it and has not read it. */
      cancelMessage: (id: string, mid: string) => call("deleteMessage", { params: { id, mid } }),
      /** Creates a session that continues from a turn of this one, with any agent: by a native fork if possible, otherwise with a brief from the log. Its files are those of that turn, by default in a new lane. */
      fork: (id: string, body: RouteBodyInput<"forkSession"> = {}) => call("forkSession", { params: { id }, body }),
      /** Acknowledges the result of a turn on behalf of the parent session, which is then not notified. */
      heard: (id: string, turn: Fields<RouteBodyInput<"hearSession">>["turn"]) => call("hearSession", { params: { id }, body: { turn } }),
    },
    limits: {
      /** Resumes a session that is held by a limit; does nothing otherwise. */
      resumeSession: (id: string) => call("resumeSession", { params: { id } }),
      /** Lists active limits of provider accounts and budgets, with the sessions that they hold. */
      list: async () => (await call("listLimits")).limits,
      /** Retries a limit now: the session that has waited longest goes first, the others follow when it succeeds. */
      resume: (id: string) => call("resumeLimit", { params: { id } }),
      /** Sets whether the sessions held by a limit resume automatically; sessions with their own setting keep it. */
      patch: (id: string, body: RouteBodyInput<"patchLimit">) => call("patchLimit", { params: { id }, body }),
    },
    tasks: {
      /** Lists the session's background tasks: those that run, then the last ones that ended, newest first. */
      list: async (id: string) => (await call("listTasks", { params: { id } })).tasks,
      /** Returns the end of a task's output, at most `bytes` (64 kB by default). */
      output: (id: string, task: string, query: RouteQuery<"taskOutput"> = {}) => call("taskOutput", { params: { id, task }, query }),
      /** Asks the agent to stop one background task. The answer is the task, with `stopping` until the agent confirms the end. Does nothing to a task that has ended. */
      stop: (id: string, task: string) => call("stopTask", { params: { id, task } }),
    },
    push: {
      /** Whether push notifications are on, the daemon's public key, and the subscribed browsers. */
      get: () => call("getPush"),
      /** Switches push notifications on or off (`push.enabled` of config.yml). Off: nothing is sent and tickets are void. */
      switch: (enabled: Fields<RouteBodyInput<"putPush">>["enabled"]) => call("putPush", { body: { enabled } }),
      /** Subscribes a browser. The endpoint must be https and public. The same endpoint again replaces the first. */
      subscribe: (body: RouteBodyInput<"addSubscription">) => call("addSubscription", { body }),
      /** Revokes a subscription and the tickets of its notifications. */
      revoke: (id: string) => call("deleteSubscription", { params: { id } }),
      /** Sends a test notification and returns the row with `sentAt` or `failure`. */
      test: (id: string) => call("testSubscription", { params: { id } }),
      /** Answers the request that a notification showed. Authorised by the ticket of the notification alone, which works once. */
      answer: (ticket: Fields<RouteBodyInput<"answerPush">>["ticket"], decision: Fields<RouteBodyInput<"answerPush">>["decision"]) => call("answerPush", { body: { ticket, decision } }),
    },
    turns: {
      /** Lists the turns of a session in order, with usage and changes. */
      list: async (id: string) => (await call("listTurns", { params: { id } })).turns,
      /** Returns the changes of a turn, so far for a running one. `path` selects a file or folder. */
      diff: (id: string, turn: string, query: RouteQuery<"turnDiff"> = {}) => call("turnDiff", { params: { id, turn }, query }),
      /** Restores the files that a turn changed to their state before it (or after it). With `dry`, only reports the plan. */
      revert: (id: string, turn: string, body: RouteBodyInput<"revertTurn"> = {}) => call("revertTurn", { params: { id, turn }, body }),
      /** Undoes a revert. The undo can be undone too. */
      undo: (id: string, revert: string, body: RouteBodyInput<"undoRevert"> = {}) => call("undoRevert", { params: { id, revert }, body }),
      /** Creates a session that continues from a turn of this one, with any agent: by a native fork if possible, otherwise with a brief from the log. Its files are those of that turn, by default in a new lane. */
      fork: (id: string, body: RouteBodyInput<"forkSession"> = {}) => call("forkSession", { params: { id }, body }),
    },
    changes: {
      /** Lists the files that a session changed. `from`: a turn (the state before it), `base` (the default), `session`, `head` or `index`; `to`: a turn (the state after it), `index` or `now` (the default). */
      list: (id: string, query: RouteQuery<"listChanges"> = {}, signal?: AbortSignal) => call("listChanges", { params: { id }, query, signal }),
      /** Returns the patch of one changed file. `from` and `to` may also be commits that `changes` reported. */
      file: (id: string, query: RouteQuery<"changedFile">, signal?: AbortSignal) => call("changedFile", { params: { id }, query, signal }),
      /** Restores files, or hunks of one file, to their state at `from`. The current files are stored first; `undo` restores them. */
      discard: (id: string, body: RouteBodyInput<"discardChanges">) => call("discardChanges", { params: { id }, body }),
      /** Adds files, or hunks of one file, to the index of the session's folder. */
      stage: async (id: string, body: RouteBodyInput<"stageChanges">) => (await call("stageChanges", { params: { id }, body })).staged,
      /** Removes files, or hunks of one file, from the index. The files themselves do not change. */
      unstage: async (id: string, body: RouteBodyInput<"unstageChanges">) => (await call("unstageChanges", { params: { id }, body })).staged,
      /** Returns what a commit of the session's folder would be: branch, changes, a suggested message. */
      commitPlan: (id: string) => call("commitPlan", { params: { id } }),
      /** Commits files of the session's folder with the user's identity, hooks and signature. */
      commit: (id: string, body: RouteBodyInput<"commitChanges">) => call("commitChanges", { params: { id }, body }),
      /** Pushes the branch of the session's folder to its remote. */
      push: (id: string) => call("pushCommits", { params: { id } }),
      /** Pushes the branch of the session's folder and opens a pull request, or returns the open one. */
      openPullRequest: (id: string, body: RouteBodyInput<"openPullRequest"> = {}) => call("openPullRequest", { params: { id }, body }),
    },
    comments: {
      /** Lists the comments on a session's changes, oldest first. Lines and states follow the files. */
      list: async (id: string) => (await call("listComments", { params: { id } })).comments,
      /** Comments on a line or a range of a file. The agent gets it with the next message of a person. */
      add: (id: string, body: RouteBodyInput<"addComment">) => call("addComment", { params: { id }, body }),
      /** Changes the text of a comment, resolves it, or opens it again. */
      edit: (id: string, comment: string, body: RouteBodyInput<"patchComment">) => call("patchComment", { params: { id, comment }, body }),
      /** Deletes a comment. A message that was sent with it does not change. */
      remove: (id: string, comment: string) => call("deleteComment", { params: { id, comment } }),
    },
    files: {
      /** Finds files and folders in a session's folder, or in `cwd`, whose path contains the letters of `q` in order; best matches first. */
      find: (query: RouteQuery<"findFiles">, signal?: AbortSignal) => call("findFiles", { query, signal }),
      /** Lists the folders in a folder (default: the user's home), and the folders that sessions used last. */
      folders: (path?: NonNullable<RouteQuery<"listFolders">>["path"], signal?: AbortSignal) => call("listFolders", { query: { path }, signal }),
    },
    servers: {
      /** Lists the MCP servers of all agents; variables and headers by name only. */
      list: () => call("listMcpServers"),
      /** Adds or replaces an MCP server. */
      put: (name: string, body: RouteBodyInput<"putMcpServer">) => call("putMcpServer", { params: { name }, body }),
      /** Removes an MCP server. */
      delete: (name: string) => call("deleteMcpServer", { params: { name } }),
    },
    skills: {
      /** Lists the skills of all agents. */
      list: () => call("listSkills"),
      /** Links a folder with a `SKILL.md` of this name. */
      put: (name: string, path: Fields<RouteBodyInput<"putSkill">>["path"]) => call("putSkill", { params: { name }, body: { path } }),
      /** Removes the link to a skill; the folder stays. */
      delete: (name: string) => call("deleteSkill", { params: { name } }),
    },
    identities: {
      /** Lists all identities, and the problems of invalid ones. */
      list: () => call("listIdentities"),
      /** Returns one identity with its persona and memory. */
      get: (name: string) => call("getIdentity", { params: { name } }),
      /** Creates or changes an identity. Its session applies the change with its next message. */
      put: (name: string, body: RouteBodyInput<"putIdentity">) => call("putIdentity", { params: { name }, body }),
      /** Deletes an identity and archives its session. Persona and memory stay on disk unless `purge=1`. */
      delete: (name: string, purge = false) => call("deleteIdentity", { params: { name }, query: { purge: purge ? "1" : "0" } }),
      /** Sends a message to the session of an identity; the first message creates it. */
      send: (name: string, body: RouteBodyInput<"sendToIdentity">) => call("sendToIdentity", { params: { name }, body }),
    },
    models: {
      /** Lists the models that are available in a folder (`all=1`: all known models), by provider and by vendor name, and the problems of models.yml. */
      list: (query: RouteQuery<"listModels"> = {}) => call("listModels", { query }),
      /** Resolves a selector such as `claude-opus-4-8:high` or `gantry/executor`, with the reasons. */
      resolve: (q: Fields<RouteQuery<"resolveModel">>["q"], cwd?: NonNullable<RouteQuery<"resolveModel">>["cwd"]) => call("resolveModel", { query: { q, cwd } }),
      /** Lists the providers of models.yml and those with a credential, and the names that can be added. */
      providers: () => call("listProviders"),
      /** Adds a provider to models.yml, or stores a key for a provider of the catalogue. The key goes into the credential store. */
      addProvider: (body: RouteBodyInput<"addProvider">) => call("addProvider", { body }),
      /** Tests a provider with one short request. This costs one short response. */
      testProvider: (name: string) => call("testProvider", { params: { name } }),
      /** Removes a provider from models.yml, and its stored keys with `keys=1`. Logins in other files stay. */
      removeProvider: (name: string, query: RouteQuery<"removeProvider"> = {}) => call("removeProvider", { params: { name }, query }),
    },
    profiles: {
      /** Lists local profiles with their files and problems. */
      list: async () => (await call("listProfiles")).profiles,
      /** Lists the agents of the public ACP registry, as of the day it was copied, each with the text of a profile. */
      available: () => call("listAvailable"),
      /** Creates or replaces a profile. An invalid one is refused with the lines in `details`, and nothing changes. */
      put: (id: string, text: Fields<RouteBodyInput<"putProfile">>["text"]) => call("putProfile", { params: { id }, body: { text } }),
      /** Deletes a profile and its installed package; its sessions stay. */
      delete: (id: string) => call("deleteProfile", { params: { id } }),
    },
    settings: {
      /** Lists every setting with its value, default, description and when a change takes effect. */
      get: () => call("getSettings"),
      /** Changes settings by key, such as `deadlines.turnSeconds`; `null` restores the default. All or nothing; comments in the file stay. */
      change: (body: RouteBodyInput<"patchSettings">) => call("patchSettings", { body }),
    },
    defaults: {
      /** Returns the agent, model, mode, effort and controls of a new session in a folder that names none, with their sources. With `agent`, the settings for that agent. */
      get: (query: RouteQuery<"getDefaults">) => call("getDefaults", { query }),
      /** Changes the defaults of the user (config.yml) or of a project (.gantry/project.yml of the folder); `null` removes one. Comments in the file stay. */
      set: (body: RouteBodyInput<"putDefaults">) => call("putDefaults", { body }),
    },
    projects: {
      /** Lists the repositories of all sessions and lanes and the folders that were added: pinned ones first, then by last activity. */
      list: () => call("listProjects"),
      /** Returns one project with its defaults, set-up and check. */
      get: (id: string) => call("getProject", { params: { id } }),
      /** Adds the repository of a folder, or the folder itself. Adding it again changes nothing. */
      add: (body: RouteBodyInput<"addProject">) => call("addProject", { body }),
      /** Changes name, colour, pins and defaults of a project; `null` removes a value. Set-up and check are written to `.gantry/lane.yml` and trusted. */
      change: (id: string, body: RouteBodyInput<"changeProject">) => call("changeProject", { params: { id }, body }),
      /** Removes name, colour and pins. The files and the sessions stay; a repository with sessions stays in the list. */
      remove: (id: string) => call("removeProject", { params: { id } }),
    },
    trust: {
      /** Trusts a folder with the present content of what it would run, or remembers `later`. With `digest`, 409 `conflict` if that content has changed. Set-up scripts of lanes that waited for it start. */
      put: (body: RouteBodyInput<"putTrust">) => call("putTrust", { body }),
      /** Revokes the trust in a folder. Takes effect at once. Programs that already run continue. */
      revoke: (path: Fields<RouteQuery<"deleteTrust">>["path"]) => call("deleteTrust", { query: { path } }),
    },
    launches: {
      /** Sends one prompt to several agents, each in a separate lane. Idempotent: the same id and body return 200 and the same launch. */
      create: (body: RouteBodyInput<"createLaunch">) => call("createLaunch", { body }),
      /** Lists launches, newest first. */
      list: async () => (await call("listLaunches")).launches,
      /** Returns one launch with the state of each slot. */
      get: (id: string) => call("getLaunch", { params: { id } }),
      /** Cancels a launch: interrupts its turns and removes lanes without a sent prompt; the other lanes stay. With `forget`, removes a finished launch from the list. */
      cancel: (id: string, forget = false) => call("cancelLaunch", { params: { id }, query: { forget: forget ? "1" : "0" } }),
      /** Compares the lanes of a launch; `patch=0` omits the patches. */
      compare: (id: string, patch = true) => call("compareLaunch", { params: { id }, query: { patch: patch ? "1" : "0" } }),
      /** Runs a command in each lane of a launch; the comparison shows the results. */
      check: async (id: string, body: RouteBodyInput<"checkLaunch"> = {}) => (await call("checkLaunch", { params: { id }, body })).checks,
    },
    landings: {
      /** Lands a lane on its base, or pushes it for a pull request. Responds when it is done; a refusal changes nothing. */
      land: (id: string, body: RouteBodyInput<"landLane"> = {}) => call("landLane", { params: { id }, body }),
      /** Updates a lane from its base. Refuses a lane with uncommitted changes unless `dirty` is set. */
      update: (id: string, body: RouteBodyInput<"updateLane"> = {}) => call("updateLane", { params: { id }, body }),
      /** Checks a lane for conflicts with its base and every other lane, with uncommitted changes. */
      conflicts: (id: string) => call("laneConflicts", { params: { id } }),
      /** Checks all lanes of each repository for conflicts and suggests a landing order. */
      matrices: async (repository?: NonNullable<RouteQuery<"conflicts">>["repository"]) => (await call("conflicts", { query: { repository } })).repositories,
      /** Lists landings, newest first. */
      list: async (lane?: NonNullable<RouteQuery<"listLandings">>["lane"]) => (await call("listLandings", { query: { lane } })).landings,
      /** Returns one landing. */
      get: (id: string) => call("getLanding", { params: { id } }),
      /** Moves the base branch back to its tip before the landing; refuses if the branch has newer commits. */
      undo: (id: string) => call("undoLanding", { params: { id } }),
    },
    schedules: {
      /** Lists schedules, oldest first; `session` selects those that send to it. */
      list: async (session?: NonNullable<RouteQuery<"listSchedules">>["session"]) => (await call("listSchedules", { query: { session } })).schedules,
      /** Creates a schedule: it sends a message to a session, or creates a session with it, at a time, repeatedly, or after another session. Idempotent: the same id and body return 200 and the same schedule. */
      add: (body: RouteBodyInput<"createSchedule">) => call("createSchedule", { body }),
      /** Returns one schedule. */
      get: (id: string) => call("getSchedule", { params: { id } }),
      /** Changes a schedule, pauses it (`enabled: false`) or resumes it. */
      change: (id: string, body: RouteBodyInput<"patchSchedule">) => call("patchSchedule", { params: { id }, body }),
      /** Deletes a schedule; its messages stay. */
      delete: (id: string) => call("deleteSchedule", { params: { id } }),
      /** Runs a schedule now. A one-time schedule counts as done. */
      run: (id: string) => call("runSchedule", { params: { id } }),
    },
    lanes: {
      /** Lists the lanes of the repository of `cwd`, or of all known repositories, the primary lane first. Archived lanes need `archived=1` (only those) or `archived=all`. A folder without git is a primary lane that lists what is missing. */
      list: (query: RouteQuery<"listLanes"> = {}) => call("listLanes", { query }),
      /** Creates a worktree on a new or an existing branch, or adopts a worktree. Responds when the lane is usable; its setup continues. Idempotent: the same id and body return 200 and the same lane. */
      create: (body: RouteBodyInput<"createLane">) => call("createLane", { body }),
      /** Lists lanes that could be removed, with the reasons and whether force is needed. */
      suggestions: async (cwd?: NonNullable<RouteQuery<"laneSuggestions">>["cwd"]) => (await call("laneSuggestions", { query: { cwd } })).suggestions,
      /** Lists removed lanes that can be restored, newest first. */
      undos: async (cwd?: NonNullable<RouteQuery<"laneUndos">>["cwd"]) => (await call("laneUndos", { query: { cwd } })).undos,
      /** Returns one lane. */
      get: (id: string) => call("getLane", { params: { id } }),
      /** Renames a lane, and its branch unless it was pushed; archives or restores the lane. Its path stays. */
      patch: (id: string, body: RouteBodyInput<"patchLane">) => call("patchLane", { params: { id }, body }),
      /** Removes a lane and the branch that was created for it; its sessions stay. Refuses a lane that has unmerged work, is locked or is in use, unless `force=1`. An undo ref preserves its content. An adopted worktree is only unregistered. */
      remove: (id: string, force = false) => call("removeLane", { params: { id }, query: { force: force ? "1" : "0" } }),
      /** Restores a removed lane with commits and files, or recreates the missing folder of a lane. */
      undo: (id: string, ref?: NonNullable<RouteBodyInput<"undoLane">>["ref"]) => call("undoLane", { params: { id }, body: { ref } }),
      /** Returns the changes since the merge base, with uncommitted and untracked files. `limit` is the maximum size of the patch in bytes; `file` selects one file. */
      diff: (id: string, query: RouteQuery<"laneDiff"> = {}) => call("laneDiff", { params: { id }, query }),
      /** Returns the last or current run of the setup command, with the end of its output. */
      setup: (id: string) => call("laneSetup", { params: { id } }),
      /** Runs the setup command again. 403 `untrusted` if the user has not trusted it. */
      runSetup: (id: string) => call("runLaneSetup", { params: { id } }),
      /** Returns the lane of a session: a worktree, the primary lane, or a folder without git. */
      ofSession: (id: string) => call("sessionLane", { params: { id } }),
    },
    terminals: {
      /** Opens a terminal that runs a setup command, a given command, or the user's login shell. */
      open: (body: RouteBodyInput<"openTerminal"> = {}) => call("openTerminal", { body }),
      /** Lists terminals, oldest first; ended ones are retained for a while. */
      list: async () => (await call("listTerminals")).terminals,
      /** Returns one terminal; as a stream, `output` from byte `after` (or Last-Event-ID), `gap` for output that is no longer retained, then `exit`. */
      get: (id: string) => call("getTerminal", { params: { id } }),
      /** Creates a ticket that opens the stream of this terminal once, within 30 seconds. */
      ticket: (id: string) => call("createTerminalTicket", { params: { id } }),
      /** Sends keyboard input to a terminal. */
      type: (id: string, data: Fields<RouteBodyInput<"typeIntoTerminal">>["data"]) => call("typeIntoTerminal", { params: { id }, body: { data } }),
      /** Sets the size of a terminal. */
      resize: (id: string, cols: Fields<RouteBodyInput<"resizeTerminal">>["cols"], rows: Fields<RouteBodyInput<"resizeTerminal">>["rows"]) => call("resizeTerminal", { params: { id }, body: { cols, rows } }),
      /** Terminates all processes of a terminal and removes it. */
      close: (id: string) => call("closeTerminal", { params: { id } }),
    },
    previews: {
      /** Opens a preview of a dev server on loopback, under a separate origin. */
      open: (body: RouteBodyInput<"openPreview">) => call("openPreview", { body }),
      /** Lists open previews, oldest first. */
      list: async () => (await call("listPreviews")).previews,
      /** Lists servers on loopback that the session's processes run or whose address they printed. */
      servers: async (id: string) => (await call("listDevServers", { params: { id } })).servers,
      /** Creates a link that opens a preview once, within a minute, in a browser. */
      ticket: (id: string, body: RouteBodyInput<"createPreviewTicket"> = {}) => call("createPreviewTicket", { params: { id }, body }),
      /** Closes a preview; the dev server keeps running. */
      close: (id: string) => call("closePreview", { params: { id } }),
    },
    imports: {
      /** Lists the agents' conversations on this machine's disk, newest first, without starting an agent. As a stream, one `conversation` frame per row when it is found. */
      list: (query: RouteQuery<"listImports"> = {}) => call("listImports", { query }),
      /** Imports an agent's conversation as a session; the next message continues it. Idempotent: a repeated import returns 200 and the same session. As a stream, `progress` and then `session`. */
      conversation: (body: RouteBodyInput<"importConversation">) => call("importConversation", { body }),
    },
    savedPrompts: {
      /** Lists the saved prompts by name. */
      list: () => call("listSavedPrompts"),
      /** Saves a prompt under a name, in place of the prompt that has the name. */
      put: (name: string, body: RouteBodyInput<"putSavedPrompt">) => call("putSavedPrompt", { params: { name }, body }),
      /** Deletes a saved prompt. */
      delete: (name: string) => call("deleteSavedPrompt", { params: { name } }),
    },
  };
}
