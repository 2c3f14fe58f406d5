import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GantryError, type RouteName } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer, TOKEN } from "../../runtime/src/server/testing/server.harness.ts";
import { createClient } from "./client.ts";
import { fetchJson } from "./node.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gantry-client-")));
let server: TestServer;
beforeAll(async () => {
  writeFileSync(join(folder, "a.txt"), "a file");
  server = await startServer();
  server.service.add("ses_a", { cwd: folder });
  server.log.append("ses_a", 5);
});
afterAll(async () => {
  await server.server.close();
  rmSync(folder, { recursive: true });
});

const client = () => createClient({ url: server.url, token: TOKEN });

describe("through node:http", () => {
  const plain = () => createClient({ url: server.url, token: TOKEN, fetch: fetchJson });

  it("makes calls with and without a body, and reports the daemon's errors", async () => {
    expect((await plain().health()).ok).toBe(true);
    expect(await plain().sessions.patch("ses_a", { title: "Größe" })).toMatchObject({ session: { id: "ses_a" } });
    await expect(plain().sessions.get("ses_none")).rejects.toMatchObject({ code: "no_such_session", status: 404 });
  });

  it("reads files and streams with fetch", async () => {
    expect(await (await plain().files.read("ses_a", "a.txt")).text()).toBe("a file");
    for await (const frame of plain().follow("ses_a")) {
      expect(frame).toBeDefined();
      break;
    }
  });

  it("throws unavailable when nothing answers, and the caller's reason after an abort", async () => {
    const nowhere = createClient({ url: "http://127.0.0.1:9", token: TOKEN, fetch: fetchJson });
    await expect(nowhere.health()).rejects.toMatchObject({ code: "unavailable" });
    const signal = AbortSignal.abort();
    await expect(plain().call("inbox", { signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("calls", () => {
  it("has one method for every route", async () => {
    const c = client();
    const results: Partial<Record<RouteName, unknown>> = {
      health: await c.health(),
      createTicket: await c.ticket(),
      redeemTicket: await c.redeem((await c.ticket()).ticket),
      revokePages: await c.revokePages(),
      stopDaemon: await c.shutdown("release"),
      listAgents: { agents: await c.agents.list(true) },
      getAgent: await c.agents.get("scripted"),
      listCommands: await c.agents.commands("scripted", "/tmp"),
      listConversations: await c.agents.conversations("scripted", "/tmp"),
      createSession: await c.sessions.create({ agent: "scripted", id: "ses_b" }),
      startDemo: await c.sessions.demo("ses_demo"),
      listSessions: await c.sessions.list({ limit: 3, state: "idle" }),
      getSession: await c.sessions.get("ses_a"),
      patchSession: await c.sessions.patch("ses_a", { title: "x" }),
      sendMessage: await c.sessions.send("ses_a", { text: "hello" }),
      patchMessage: await c.sessions.editMessage("ses_a", "msg_1", { text: "x" }),
      deleteMessage: await c.sessions.cancelMessage("ses_a", "msg_1"),
      interrupt: await c.sessions.interrupt("ses_a", "clear"),
      changeQueue: await c.sessions.setQueue("ses_a", "paused"),
      closeSession: await c.sessions.close("ses_a"),
      warmUpSession: await c.sessions.warmUp("ses_a"),
      listProcesses: await c.processes(),
      listTasks: { tasks: await c.tasks.list("ses_a") },
      requestContext: await c.sessions.requestContext("ses_a"),
      taskOutput: await c.tasks.output("ses_a", "b7kq2"),
      stopTask: await c.tasks.stop("ses_a", "tsk_1"),
      forkSession: await c.sessions.fork("ses_a", { at: 2 }),
      sessionAt: await c.sessions.at("ses_a", 2),
      sessionEvents: await c.sessions.events("ses_a", { tail: 2 }),
      allEvents: await c.call("allEvents", { query: { limit: 1 } }),
      getItem: await c.sessions.item("ses_a", "itm_1#:x"),
      inbox: { inputs: await c.inbox() },
      answerInput: await c.answer("inp_1", { decision: "deny", message: "no" }),
      listGrants: { grants: await c.grants() },
      revokeGrant: await c.revokeGrant("gra_1"),
      findFiles: await c.files.find({ session: "ses_a", q: "x" }),
      listFolders: await c.files.folders("/tmp"),
      readFile: await (await c.files.read("ses_a", "a.txt")).text(),
      listMcpServers: await c.servers.list(),
      putMcpServer: await c.servers.put("files", { command: ["serve"] }),
      deleteMcpServer: await c.servers.delete("files"),
      listSkills: await c.skills.list(),
      putSkill: await c.skills.put("release", "/skills/release"),
      deleteSkill: await c.skills.delete("release"),
      listSavedPrompts: await c.savedPrompts.list(),
      putSavedPrompt: await c.savedPrompts.put("review", { text: "hi" }),
      deleteSavedPrompt: await c.savedPrompts.delete("review"),
      getPush: await c.push.get(),
      putPush: await c.push.switch(true),
      addSubscription: await c.push.subscribe({
        name: "Phone",
        endpoint: "https://push.example/1",
        keys: { p256dh: "x", auth: "x" },
      }),
      testSubscription: await c.push.test("psb_1"),
      deleteSubscription: await c.push.revoke("psb_1"),
      answerPush: await c.push.answer("x", "allow"),
      metrics: await c.metrics(),
      listIdentities: await c.identities.list(),
      getIdentity: await c.identities.get("lead"),
      putIdentity: await c.identities.put("lead", { agent: "scripted" }),
      sendToIdentity: await c.identities.send("lead", { text: "hi" }),
      deleteIdentity: await c.identities.delete("lead", true),
      getTrust: await c.call("getTrust", { query: { path: "/work" } }),
      putTrust: await c.trust.put({ path: "/work" }),
      deleteTrust: await c.trust.revoke("/work"),
      listProfiles: { profiles: await c.profiles.list() },
      listAvailable: await c.profiles.available(),
      putProfile: await c.profiles.put("mine", "id: mine"),
      deleteProfile: await c.profiles.delete("mine"),
      getSettings: await c.settings.get(),
      patchSettings: await c.settings.change({ queueLimit: 3 }),
      getDefaults: await c.defaults.get({ cwd: "/repo" }),
      putDefaults: await c.defaults.set({ scope: "user", agent: "scripted" }),
      hearSession: await c.sessions.heard("ses_a", "trn_1"), // prose-ignore: a fixed route name
      listSchedules: { schedules: await c.schedules.list("ses_a") },
      createSchedule: await c.schedules.add({ session: "ses_a", text: "hi", every: 60 }),
      getSchedule: await c.schedules.get("sch_1"),
      patchSchedule: await c.schedules.change("sch_1", { enabled: false }),
      deleteSchedule: await c.schedules.delete("sch_1"),
      runSchedule: await c.schedules.run("sch_1"),
      openTerminal: await c.terminals.open({ cwd: "/tmp", command: ["cat"] }),
      listTerminals: { terminals: await c.terminals.list() },
      getTerminal: await c.terminals.get("trm_1"),
      createTerminalTicket: await c.terminals.ticket("trm_1"),
      streamTerminal: await c.call("streamTerminal", {
        params: { id: "trm_1" },
        query: await c.terminals.ticket("trm_1").then(({ ticket }) => ({ ticket })),
      }),
      typeIntoTerminal: await c.terminals.type("trm_1", "x"),
      resizeTerminal: await c.terminals.resize("trm_1", 100, 30),
      closeTerminal: await c.terminals.close("trm_1"),
      openPreview: await c.previews.open({ port: 9 }),
      listPreviews: { previews: await c.previews.list() },
      listDevServers: { servers: await c.previews.servers("ses_a") },
      createPreviewTicket: await c.previews.ticket("prv_1"),
      closePreview: await c.previews.close("prv_1"),
      listImports: await c.imports.list({ limit: 3 }),
      importConversation: await c.imports.conversation({ agent: "scripted", conversation: "x" }),
      importFile: await c.imports.file(new Uint8Array([1])),
      exportSession: await (await c.imports.exported("ses_a", "jsonl")).text(),
      handOff: await c.sessions.handOff("ses_a", { agent: "other" }),
      listTurns: { turns: await c.turns.list("ses_a") },
      turnDiff: await c.turns.diff("ses_a", "trn_1"),
      revertTurn: await c.turns.revert("ses_a", "trn_1", { dry: true }),
      undoRevert: await c.turns.undo("ses_a", "job_1"),
      listChanges: await c.changes.list("ses_a", { from: "base" }),
      changedFile: await c.changes.file("ses_a", { path: "a.txt" }),
      discardChanges: await c.changes.discard("ses_a", { paths: ["a.txt"] }),
      stageChanges: { staged: await c.changes.stage("ses_a", { paths: ["a.txt"] }) },
      unstageChanges: { staged: await c.changes.unstage("ses_a", { paths: ["a.txt"] }) },
      commitPlan: await c.changes.commitPlan("ses_a"),
      commitChanges: await c.changes.commit("ses_a", { all: true }),
      pushCommits: await c.changes.push("ses_a"),
      openPullRequest: await c.changes.openPullRequest("ses_a", { title: "x" }),
      listComments: { comments: await c.comments.list("ses_a") },
      addComment: await c.comments.add("ses_a", { path: "a.txt", line: 1, text: "x" }),
      patchComment: await c.comments.edit("ses_a", "cmt_1", { text: "x" }),
      deleteComment: await c.comments.remove("ses_a", "cmt_1"),
      listModels: await c.models.list({ all: "1" }),
      resolveModel: await c.models.resolve("one"),
      listProviders: await c.models.providers(),
      addProvider: await c.models.addProvider({ name: "mine" }),
      testProvider: await c.models.testProvider("mine"),
      removeProvider: await c.models.removeProvider("mine"),
      listProjects: await c.projects.list(),
      addProject: await c.projects.add({ path: "/repo" }),
      getProject: await c.projects.get("prj_0000000000000000"),
      changeProject: await c.projects.change("prj_0000000000000000", { pinned: true }),
      removeProject: await c.projects.remove("prj_0000000000000000"),
      listLimits: { limits: await c.limits.list() },
      resumeLimit: await c.limits.resume("lim_a"),
      patchLimit: await c.limits.patch("lim_a", { autoResume: false }),
      resumeSession: await c.limits.resumeSession("ses_a"),
      createLaunch: await c.launches.create({ prompt: "x", cwd: "/tmp", slots: [{ agent: "scripted" }] }),
      listLaunches: { launches: await c.launches.list() },
      getLaunch: await c.launches.get("lau_1"),
      cancelLaunch: await c.launches.cancel("lau_1"),
      compareLaunch: await c.launches.compare("lau_1"),
      compareLanes: await c.compare(["lan_1", "lan_2"]),
      checkLaunch: { checks: await c.launches.check("lau_1", { command: "true" }) },
      landLane: await c.landings.land("lan_1", { how: "squash" }),
      updateLane: await c.landings.update("lan_1"),
      laneConflicts: await c.landings.conflicts("lan_1"),
      conflicts: { repositories: await c.landings.matrices() },
      listLandings: { landings: await c.landings.list() },
      getLanding: await c.landings.get("job_1"),
      undoLanding: await c.landings.undo("job_1"),
      listLanes: await c.lanes.list({ cwd: "/tmp" }),
      createLane: await c.lanes.create({ cwd: "/tmp" }),
      laneSuggestions: { suggestions: await c.lanes.suggestions() },
      laneUndos: { undos: await c.lanes.undos() },
      getLane: await c.lanes.get("lan_1"),
      patchLane: await c.lanes.patch("lan_1", { name: "x" }),
      removeLane: await c.lanes.remove("lan_1", true),
      undoLane: await c.lanes.undo("lan_1"),
      laneDiff: await c.lanes.diff("lan_1"),
      laneSetup: await c.lanes.setup("lan_1"),
      runLaneSetup: await c.lanes.runSetup("lan_1"),
      sessionLane: await c.lanes.ofSession("ses_a"),
      search: { hits: await c.search("word", { limit: 3 }) },
      usage: await c.usage("day"),
      deleteSession: await c.sessions.delete("ses_b"),
    };
    for (const name of Object.keys(routes) as RouteName[])
      expect(routes[name].response.safeParse(results[name]).error, name).toBeUndefined();
    expect(await c.cursor()).toBe("5");
  });

  it("yields each agent when its probe ends", async () => {
    const ids: string[] = [];
    for await (const row of client().agents.stream()) ids.push(row.id);
    expect(ids).toEqual(["scripted", "other"]);
  });
});

describe("failures", () => {
  it("throws the daemon's own error", async () => {
    await expect(client().sessions.get("ses_none")).rejects.toMatchObject({
      name: "GantryError",
      code: "no_such_session",
    });
    await expect(createClient({ url: server.url, token: "wrong" }).inbox()).rejects.toMatchObject({
      code: "unauthorized",
      remedy: expect.stringContaining("Bearer"),
    });
  });

  it("reports that the daemon cannot be reached, and how to start it", async () => {
    const gone = await startServer();
    await gone.server.close();
    const failure = await createClient({ url: gone.url, token: TOKEN })
      .health()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GantryError);
    expect(failure).toMatchObject({ code: "unavailable", remedy: expect.stringContaining("gantry") });
    expect((failure as Error).message).not.toContain(TOKEN);
  });

  it("recognises a server that is not a daemon", async () => {
    const fetch = async () => new Response("<h1>It works</h1>", { status: 404 });
    await expect(createClient({ url: "http://127.0.0.1:1", fetch }).health()).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it("rethrows an abort unchanged", async () => {
    const signal = AbortSignal.abort();
    await expect(client().call("health", { signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});
