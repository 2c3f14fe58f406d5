import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../harness/bench.ts";
import { eventually } from "../harness/wait.ts";
import { allowOnce, deny, Editor, type EditorOptions } from "./editor.ts";

type Config = {
  configOptions: { id?: string; configId?: string; currentValue: string; options: { value: string }[] }[];
};

/** One run of an editor against one agent. Each step throws with its name if the result is wrong. */
export class Drive {
  readonly #bench: Bench;
  readonly #version: 1 | 2;
  readonly #open: Editor[] = [];
  #daemons = 0;

  constructor(bench: Bench, version: 1 | 2) {
    this.#bench = bench;
    this.#version = version;
  }

  async editor(more: Partial<EditorOptions> = {}): Promise<Editor> {
    const { env, folder, target } = this.#bench;
    const own = { ...env, GANTRY_TEXT_HELPER: "off" };
    const args = ["--agent", target.agent, "--mode", "ask"];
    const editor = await Editor.open({ version: this.#version, env: own, cwd: folder, args, ...more });
    this.#open.push(editor);
    return editor;
  }

  /** Kills the daemon with SIGKILL. The gateway starts the next one. */
  killDaemon(): void {
    const { pid } = JSON.parse(readFileSync(join(this.#bench.home, "gantry", "daemon.json"), "utf8"));
    process.kill(pid, "SIGKILL");
    this.#daemons++;
  }

  /** Ends the editors and a daemon that a gateway started. Resolves with the invalid frames. */
  async close(): Promise<string[]> {
    for (const editor of this.#open) await editor.kill();
    if (this.#daemons > 0) await this.#bench.gantry("stop", "--release");
    return this.#open.flatMap(({ frames }) => frames.errors);
  }

  /** All steps of the contract, in one session. Resolves with the number of checked frames. */
  async all(): Promise<number> {
    const editor = await this.editor();
    const session = await editor.create();
    await this.permissions(editor, session);
    await this.settings(editor, session);
    await this.cancel(editor, session);
    await this.kills(editor, session);
    await this.load(editor, session);
    return this.#open.reduce((sum, { frames }) => sum + frames.checked, 0);
  }

  async permissions(editor: Editor, session: string): Promise<void> {
    editor.answer = allowOnce;
    expectEqual("allow", await editor.prompt(session, "[[write]] go"), "end_turn");
    expectEqual("the allowed file", typeof this.#bench.file("hello.txt"), "string");
    const asked = editor.requests.length;
    expectEqual("a request", asked > 0, true);
    editor.answer = deny;
    await editor.prompt(session, "[[bash]] go");
    expectEqual("a second request", editor.requests.length > asked, true);
    expectEqual("the denied file", this.#bench.file("bash.txt"), undefined);
  }

  async settings(editor: Editor, session: string): Promise<void> {
    const set = async (configId: string, value: string) => {
      const typed = this.#version === 2 ? { type: "id" } : {};
      const reply = await editor.request<Config>("session/set_config_option", {
        ...{ sessionId: session, configId, value, ...typed },
      });
      return reply.configOptions.find(({ id, configId: other }) => (id ?? other) === configId)?.currentValue;
    };
    expectEqual("mode", await set("mode", "auto-edit"), "auto-edit");
    expectEqual("mode", await set("mode", "ask"), "ask");
    const { otherModel } = this.#bench.target;
    const { models } = (await this.#bench.client.agents.get(this.#bench.target.agent)).agent;
    const known = models.items.find(({ id }) => id === otherModel) ?? models.items[0];
    if (known) expectEqual("model", await set("model", known.id), known.id);
    const { sessions } = await editor.request<{ sessions: { sessionId: string }[] }>("session/list", {});
    expectEqual(
      "list",
      sessions.some(({ sessionId }) => sessionId === session),
      true,
    );
  }

  async cancel(editor: Editor, session: string): Promise<void> {
    const before = editor.text().length;
    const ended = editor.prompt(session, "[[slow:400:50]] go");
    await eventually("text", () => editor.text().length > before);
    await editor.notify("session/cancel", { sessionId: session });
    expectEqual("cancel", await ended, "cancelled");
  }

  /** The daemon dies twice in the middle of a turn. */
  async kills(editor: Editor, session: string): Promise<void> {
    const ended = editor.prompt(session, "[[slow:120:60]] go");
    for (let count = 0; count < 2; count++) {
      const seen = editor.text().length;
      await eventually("text before a kill", () => editor.text().length > seen);
      this.killDaemon();
    }
    expectEqual("the prompt after two kills", await ended, "end_turn");
  }

  /** Another process shows the same conversation. */
  async load(editor: Editor, session: string): Promise<void> {
    const second = await this.editor();
    await second.load(session);
    expectEqual("tools", second.tools(), editor.tools());
    expectEqual("text", second.text(), editor.text());
  }
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 2000)} instead of ${b?.slice(0, 2000)}`);
}
