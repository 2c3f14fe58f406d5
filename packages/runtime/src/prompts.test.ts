import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { TestDaemon } from "./test-daemon.ts";

const daemons: TestDaemon[] = [];
const startDaemon = async (options: ConstructorParameters<typeof TestDaemon>[0] = {}) => {
  const daemon = new TestDaemon(options);
  daemons.push(daemon);
  return daemon.start();
};

afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.dispose();
});

type SentPrompt = { type: string; text: string; attachments: { data?: string; path?: string; mime?: string }[] };

/** The prompts as they were written to the agent's process, in order. */
function sentPrompts(daemon: TestDaemon): SentPrompt[] {
  const database = new DatabaseSync(join(daemon.home, "gantry", "gantry.db"), { readOnly: true });
  const rows = database.prepare("SELECT frame FROM journal ORDER BY ordinal").all() as { frame: string }[];
  database.close();
  return rows.map(({ frame }) => JSON.parse(frame) as SentPrompt).filter(({ type }) => type === "prompt");
}

describe("instructions", () => {
  it("precede the first prompt once; a slash command is sent unchanged", async () => {
    const daemon = await startDaemon({ config: "prompt:\n  instructions: Write British English.\n" });
    const { id } = await daemon.client.sessions.create({
      agent: "scripted",
      cwd: daemon.cwd,
      instructions: "Be brief.",
      prompt: "/help [[text]]",
    });
    await daemon.waitForIdle(id);
    for (const text of ["[[text]] one", "[[text]] two"]) {
      await daemon.client.sessions.send(id, { text });
      await daemon.waitForIdle(id);
    }
    expect(sentPrompts(daemon).map(({ text }) => text)).toEqual([
      "/help [[text]]",
      "<context>\nWrite British English.\n\nBe brief.\n</context>\n\n[[text]] one",
      "[[text]] two",
    ]);
    const [created] = await daemon.log(id);
    expect(created?.data).toMatchObject({ instructions: "Be brief." });
  });

  it("come with the folder and its files where that is asked for", async () => {
    const daemon = await startDaemon({ config: "prompt:\n  hints: always\n" });
    writeFileSync(join(daemon.cwd, "notes.md"), "x");
    const { id } = await daemon.session("scripted", "[[text]] go");
    await daemon.waitForIdle(id);
    expect(sentPrompts(daemon)[0]?.text).toBe(
      `<context>\nYou work in ${daemon.cwd}. Read and write files there. Files in it:\nnotes.md\n</context>\n\n[[text]] go`,
    );
  });
});

describe("attachments", () => {
  it("on disk reach the agent, pictures with their bytes", async () => {
    const daemon = await startDaemon();
    const upload = join(daemon.home, "gantry", "uploads", "shot.png");
    writeFileSync(upload, Buffer.from("89504e47", "hex"));
    writeFileSync(join(daemon.cwd, "notes.md"), "x");
    const attachments = [{ path: "notes.md" }, { path: upload }];
    const { id } = await daemon.client.sessions.create({
      agent: "scripted",
      cwd: daemon.cwd,
      prompt: "[[text]] look",
      attachments,
    });
    await daemon.waitForIdle(id);
    expect(sentPrompts(daemon)[0]?.attachments).toEqual([
      { path: join(daemon.cwd, "notes.md") },
      { path: upload, mime: "image/png", data: "iVBORw==" },
    ]);
  });

  it("that cannot go are refused, and nothing changes", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[text]] hello");
    await daemon.waitForIdle(id);
    const outside = join(daemon.home, "secret.txt");
    writeFileSync(outside, "x");
    mkdirSync(join(daemon.cwd, "sub"));
    symlinkSync(outside, join(daemon.cwd, "sub", "link"));
    const before = await daemon.log(id);
    const refused: [object, string][] = [
      [{ text: "a", attachments: [{ path: outside }] }, "outside_folder"],
      [{ text: "a", attachments: [{ path: "../secret.txt" }] }, "outside_folder"],
      [{ text: "a", attachments: [{ path: "sub/link" }] }, "outside_folder"],
      [{ text: "a", attachments: [{ path: "nothing.txt" }] }, "invalid"],
      [{ text: "a", attachments: [{}] }, "invalid"],
      [{ text: "/compact", attachments: [{ path: "sub" }] }, "unsupported"],
    ];
    for (const [body, code] of refused) {
      await expect(daemon.client.sessions.send(id, body as { text: string })).rejects.toMatchObject({ code });
    }
    expect(await daemon.log(id)).toEqual(before);
  });
});
