import { expect, test } from "vitest";
import { eventually } from "../harness/wait.ts";
import { scripted, useDrive } from "./scripted-drive.ts";

const { bench, drive } = useDrive();

type Opened = { sessionId: string; modes: { currentModeId: string } };

test("forks, closes and resumes a session, and sets its mode and model with the older requests", async () => {
  const editor = await drive().editor(scripted);
  const session = await editor.create();
  await editor.prompt(session, "[[say:first]]");
  const place = { cwd: bench().folder, mcpServers: [] };
  await editor.request("session/set_mode", { sessionId: session, modeId: "plan" });
  await editor.request("session/set_model", { sessionId: session, modelId: "scripted-mini" });
  expect(await bench().client.sessions.get(session)).toMatchObject({ mode: "plan", model: "scripted-mini" });
  const forked = await editor.request<Opened>("session/fork", { sessionId: session, ...place });
  expect(forked).toMatchObject({ modes: { currentModeId: "plan" } });
  expect(await editor.prompt(forked.sessionId, "[[say:second]]")).toBe("end_turn");
  expect(await bench().client.sessions.get(forked.sessionId)).toMatchObject({ parent: session, turns: 1 });

  const running = editor.prompt(session, "[[slow:400:50]]");
  await eventually("the turn", async () => (await bench().client.sessions.get(session)).turn);
  await editor.request("session/close", { sessionId: session });
  expect(await running).toBe("cancelled");
  expect((await bench().client.sessions.get(session)).state).toBe("idle");
  await expect(editor.prompt(session, "[[say:no]]")).rejects.toMatchObject({ code: -32002 });
  const before = editor.updates.length;
  await editor.request("session/resume", { sessionId: session, ...place });
  expect(editor.updates.slice(before).filter(({ sessionUpdate }) => sessionUpdate.endsWith("_chunk"))).toEqual([]);
  expect(await editor.prompt(session, "[[say:third]]")).toBe("end_turn");
});

test("opens the session of --session with the first new thread, and lists sessions by folder", async () => {
  const { id } = await bench().client.sessions.create({
    agent: "scripted",
    cwd: bench().folder,
    prompt: "[[say:here]]",
  });
  await eventually("the end", async () => (await bench().client.sessions.get(id)).lastTurn);
  const editor = await drive().editor({ args: ["--session", id] });
  expect(await editor.create()).toBe(id);
  await eventually("the conversation", () => editor.text() === "here");
  expect(editor.ofKind("user_message_chunk")).toMatchObject([{ content: { text: "[[say:here]]" } }]);
  expect(await editor.create()).not.toBe(id);
  const listed = await editor.request<{ sessions: unknown[] }>("session/list", { cwd: bench().folder });
  expect(listed.sessions).toHaveLength(2);
  expect(await editor.request("session/list", { cwd: "/nowhere" })).toMatchObject({ sessions: [] });
});

test("shows a handoff of the page as a message, with the options of the next agent", async () => {
  const editor = await drive().editor(scripted);
  const session = await editor.create();
  await editor.prompt(session, "[[say:first]]");
  const before = editor.updates.length;
  await bench().client.sessions.handOff(session, { agent: "gantry", prompt: "[[text]] continue" });
  await eventually("the message", () => editor.text().includes("gantry has taken over from scripted."));
  await eventually("the end", async () => (await bench().client.sessions.get(session)).state === "idle");
  await eventually("the options", () =>
    editor.updates.slice(before).some((update) => JSON.stringify(update).includes("scripted/scripted-mini")),
  );
});
