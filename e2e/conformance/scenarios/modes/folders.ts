import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../../../harness/bench.ts";
import type { Conversation } from "../../../harness/conversation.ts";
import type { Scenario } from "../../scenario.ts";

const CONTENT = "High water at Fastnet: 04:42";

/** A folder outside of the project and of the folders for temporary files, in which some sandboxes always write. */
async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync("/var/tmp/gantry-folder-"));
  try {
    writeFileSync(join(folder, "tides.txt"), `${CONTENT}\n`);
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers every request of the turn alike and waits for its end. */
async function runTurn(conversation: Conversation, prompt: string, decision: "allow" | "deny"): Promise<number> {
  const turn = conversation.of("turn.ended").length + 1;
  const before = conversation.of("input.requested").length;
  const answered = new Set(conversation.of("input.requested").map(({ data }) => data.id));
  await conversation.send(prompt);
  await conversation.until(`the end of turn ${turn}`, () => {
    for (const { data } of conversation.of("input.requested")) {
      if (answered.has(data.id)) continue;
      answered.add(data.id);
      void conversation.answer(data, { decision });
    }
    return conversation.of("turn.ended")[turn - 1];
  });
  return conversation.of("input.requested").length - before;
}

/** The mode in which the agent edits freely inside of its folders, if it has one. */
const modeOf = ({ target }: Bench) => (target.writeMode === "full-auto" ? "ask" : "auto-edit");

const extraFolder: Scenario = {
  name: "extra-folder",
  title: "Reads and writes in an added folder; without it, the agent asks or refuses",
  async run(bench) {
    await withFolder(async (folder) => {
      const mode = modeOf(bench);
      const conversation = await bench.session({ mode, folders: [folder] });
      const { folders, modeApplied } = await conversation.view();
      assert.deepEqual(folders, [folder]);
      const isFree = modeApplied === "auto-edit";
      const asked = await runTurn(conversation, `[[read:${folder}/tides.txt]]`, "allow");
      assert.ok(
        bench.modelRequests().some((request) => request.includes(CONTENT)),
        "the model did not get the file",
      );
      if (isFree) assert.equal(asked, 0, "reading in the added folder was asked about");
      const edits = await runTurn(conversation, `[[writeto:${folder}/new.txt]]`, "allow");
      assert.equal(readFileSync(join(folder, "new.txt"), "utf8").trim(), "written there");
      if (isFree) assert.equal(edits, 0, "writing in the added folder was asked about");
      if (bench.target.editsAnywhere) return;
      const other = await bench.session({ mode });
      await runTurn(other, `[[writeto:${folder}/other.txt]]`, "deny");
      assert.equal(existsSync(join(folder, "other.txt")), false, "a folder that was not added was written to");
    });
  },
  async checkRefusal(bench) {
    await withFolder(async (folder) => {
      const conversation = await bench.session({ mode: modeOf(bench), folders: [folder] });
      await conversation.runTurn("[[text]] hello");
      const notices = conversation.of("notice").map(({ data }) => data.text);
      const isStated = notices.some((text) => text.includes(folder));
      const isNamed = bench.modelRequests().some((request) => request.includes(folder));
      assert.ok(isStated || isNamed, "neither the user nor the model learns about the folder");
    });
  },
};

export const folderScenarios = [extraFolder];
