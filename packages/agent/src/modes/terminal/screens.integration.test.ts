import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { needs, TMUX } from "@gantry/testkit";
import { Transformer } from "@napi-rs/image";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Reply, startChatServer } from "./testing/chat-server.fake.ts";
import { TmuxScreen } from "./testing/tmux.ts";

const PROGRAM = `const { runTerminal } = await import(${JSON.stringify(new URL("./terminal.ts", import.meta.url).href)});
process.exit(await runTerminal(JSON.parse(process.env.TEST_OPTIONS)));`;
const NUMBERS = (count: number, prefix = "line") => Array.from({ length: count }, (_, n) => `${prefix} ${n + 1}`);

let home: string;
let cwd: string;
let server: Awaited<ReturnType<typeof startChatServer>>;
let screen: TmuxScreen | undefined;

beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-screens-"));
  cwd = join(home, "project");
  for (const folder of [cwd, join(home, "agent")]) mkdirSync(folder);
});
afterEach(async () => {
  screen?.close();
  await server?.close();
  rmSync(home, { recursive: true, force: true });
});

type Start = { replies?: Reply[]; env?: Record<string, string>; mode?: string; width?: number; height?: number };

async function start({ replies = [], env: more = {}, mode = "ask", ...size }: Start = {}): Promise<TmuxScreen> {
  server = await startChatServer(replies);
  const facts = "contextWindow: 1000000, maxTokens: 8192, input: [text, image], cost: { input: 10, output: 10 }";
  writeFileSync(
    join(home, "agent", "models.yml"),
    `providers:\n  local: { baseUrl: ${server.url}/v1, api: openai-completions, auth: none, models: [{ id: heron, ${facts} }] }\nmodelBindings: { modelRoles: { default: local/heron } }\n`,
  );
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GANTRY_HOME: home,
    GANTRY_AGENT_DIR: join(home, "agent"),
    TERM: "xterm-256color",
    ...more,
  };
  const TEST_OPTIONS = JSON.stringify({ env, home, cwd, mode });
  const program = join(home, "program.mjs");
  writeFileSync(program, PROGRAM);
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", program];
  screen = new TmuxScreen({ command, cwd, env: { ...env, TEST_OPTIONS }, folder: home, ...size });
  await screen.waitFor("/help");
  return screen;
}

function put(path: string, content: string | Buffer = ""): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
}

const lastMessage = () => server.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content;
const sent = () => JSON.stringify(lastMessage());

describe.runIf(TMUX.met)("the terminal of the agent", needs(TMUX), () => {
  it("shows a change of 500 lines before it is approved, all of it, and after it", async () => {
    const content = `${NUMBERS(500).join("\n")}\n`;
    const call = { name: "write", args: { path: "big.txt", content } };
    const tmux = await start({ replies: [{ call }, { text: ["Written."] }] });
    tmux.submit("write it");
    await tmux.waitFor(/lines 1 to \d+ of 500/);
    expect(tmux.text).toContain("1 + line 1");
    tmux.press("PageDown");
    await tmux.waitFor(/lines (1[0-9]|2[0-9]) to/);
    tmux.press("End");
    await tmux.waitFor("500 + line 500");
    expect(tmux.text).toContain("y yes · a always in this session · n no · e edit");
    expect(tmux.rows().length).toBeLessThanOrEqual(24);
    expect(existsSync(join(cwd, "big.txt"))).toBe(false);
    tmux.type("y");
    await tmux.waitFor("Written.");
    expect(readFileSync(join(cwd, "big.txt"), "utf8")).toBe(content);
    expect(tmux.history).toContain("60 + line 60");
    expect(tmux.history).toContain("440 more lines (ctrl+o shows all)");
    tmux.press("C-o");
    await vi.waitFor(() => expect(tmux.history).toContain("499 + line 499"), 20_000);
  });

  it("shows the output of a running command, more of it on request, and all of it afterwards", async () => {
    const command = "for i in $(seq 1 40); do echo step $i; done; until [ -e go ]; do sleep 0.1; done; echo end";
    const call = { name: "bash", args: { command } };
    const tmux = await start({ replies: [{ call }, { text: ["Done."] }], mode: "full-auto" });
    tmux.submit("run it");
    await tmux.waitFor("│ step 40");
    expect(tmux.text).not.toContain("│ step 30\n");
    expect(tmux.text).toContain("ctrl+o shows more");
    tmux.press("C-o");
    await tmux.waitFor("│ step 32");
    put("go");
    await tmux.waitFor("Done.");
    expect(tmux.history).toMatch(/33 more lines \(ctrl\+o shows all\)/);
    tmux.press("C-o");
    await vi.waitFor(() => expect(tmux.history).toContain("  step 39\n  step 40\n  end"), 20_000);
  });

  it("runs a command of the user live, and stops it with escape", async () => {
    const tmux = await start({ mode: "full-auto" });
    tmux.submit("!echo first; sleep 300; echo last");
    await tmux.waitFor("│ first");
    expect(tmux.text).toContain("◌ ! echo first");
    tmux.press("Escape");
    await tmux.waitUntilGone("◌ !");
    expect(tmux.text).not.toMatch(/^\s+last$/m);
  });

  it("completes files of the whole project after @ by letters of their path, and attaches texts and scaled images", async () => {
    put("src/deep/thing.ts", "const thing = 1;\n");
    put("src/other.ts");
    put("node_modules/thing/thing.ts");
    const wide = await Transformer.fromRgbaPixels(Buffer.alloc(3000 * 4 * 4, 90), 3000, 4).png();
    put("pictures/with space.png", wide);
    const tmux = await start({ replies: [{ text: ["Seen."] }] });
    tmux.type("look at @dethi");
    await tmux.waitFor(/→ thing\.ts\s+src\/deep\//);
    expect(tmux.text).not.toContain("node_modules");
    tmux.press("Tab");
    await tmux.waitFor("@src/deep/thing.ts");
    tmux.type("and @space");
    await tmux.waitFor("with space.png");
    tmux.press("Tab");
    await tmux.waitFor('@"pictures/with space.png"');
    tmux.press("Enter");
    await tmux.waitFor("Seen.");
    expect(sent()).toContain("const thing = 1;");
    const url =
      (lastMessage() as { image_url?: { url: string } }[]).find((block) => block.image_url)?.image_url?.url ?? "";
    const { width } = await new Transformer(Buffer.from(url.split(",")[1] ?? "", "base64")).metadata();
    expect(width).toBe(2048);
  });

  it("attaches the image on the clipboard", async () => {
    const { PIXEL, writeFakeClipboard } = await import("../../../../terminal/src/clipboard/clipboard-programs.fake.ts");
    const programs = join(home, "programs");
    mkdirSync(programs);
    writeFakeClipboard(programs, ["xclip"]);
    const env = { DISPLAY: ":0", PATH: `${programs}:${process.env.PATH}` };
    const tmux = await start({ replies: [{ text: ["A pixel."] }], env });
    tmux.press("C-v");
    await tmux.waitFor("[image 1: clipboard]");
    tmux.submit(" what is it?");
    await tmux.waitFor("A pixel.");
    expect(sent()).toContain(PIXEL.toString("base64"));
  });

  it("lists the commands with descriptions after /, and sends a text that begins with a path", async () => {
    const tmux = await start({ replies: [{ text: ["A folder."] }] });
    tmux.type("/");
    await tmux.waitFor(/→ \/help\s+shows this list/);
    tmux.type("sett");
    await tmux.waitFor(/\/settings\s+lists the settings/);
    tmux.press("C-c");
    tmux.submit("/etc holds the configuration?");
    await tmux.waitFor("A folder.");
    expect(lastMessage()).toBe("/etc holds the configuration?");
  });

  it("renders tables and highlighted code, in blocks as they stream", async () => {
    const text = [
      "# Birds\n\n| bird | legs |\n|---|---|\n| heron | 2 |\n\n",
      "```ts\nconst legs = 2; // two\n```\n\nEnd.",
    ];
    const tmux = await start({ replies: [{ text }] });
    tmux.submit("a table");
    await tmux.waitFor("End.");
    expect(tmux.text).toMatch(/│ heron\s+│ 2\s+│/);
    expect(tmux.text).not.toContain("```");
    expect(tmux.coloured).toMatch(/\x1b\[38;5;\d+mconst/);
  });

  it("takes a paste of 1,000 lines as one chip, and sends all of it", async () => {
    const tmux = await start({ replies: [{ text: ["Long."] }] });
    const pasted = NUMBERS(1000, "pasted");
    tmux.paste(pasted.join("\n"), home);
    await tmux.waitFor(/\[paste #1 \+1000 lines\]/);
    expect(tmux.text).toContain("Describe the task.");
    tmux.type(" what is it?");
    await tmux.waitFor("what is it?");
    tmux.press("Enter");
    await tmux.waitFor("Long.");
    expect(lastMessage()).toBe(`${pasted.join("\n")} what is it?`);
    expect(tmux.history).toContain("pasted 12");
    expect(tmux.history).not.toContain("pasted 13\n");
    expect(tmux.text).toContain("more lines (ctrl+o shows all)");
  });

  it("shows queued messages, holds them after a stop, and resumes them", async () => {
    const slow = { text: NUMBERS(400, "word").map((word) => `${word}\n`), pauseMs: 50 };
    const tmux = await start({ replies: [slow, { text: ["The second answer."] }] });
    tmux.submit("count");
    await tmux.waitFor("word 3");
    tmux.type("and then this");
    tmux.press("M-Enter");
    await tmux.waitFor("next: and then this");
    await tmux.waitFor("1 queued");
    tmux.press("Escape");
    await tmux.waitFor("Stopped.");
    await tmux.waitFor("held: and then this");
    expect(tmux.text).toContain("/queue resume runs");
    expect(server.requests).toHaveLength(1);
    tmux.submit("/queue resume");
    await tmux.waitFor("The second answer.");
    expect(lastMessage()).toBe("and then this");
  });

  it("shows model, mode, context, cost and branch in the status line", async () => {
    execFileSync("git", ["init", "--quiet", "--initial-branch=heronry"], { cwd });
    const tmux = await start({ replies: [{ text: ["Hi."] }] });
    tmux.submit("hello");
    await tmux.waitFor("Hi.");
    await tmux.waitFor(/heron · ask · 0 % full · \$0\.0110 · heronry/);
  });

  it("changes settings, and browses the tree of the session", async () => {
    const tmux = await start({ replies: [{ text: ["One."] }, { text: ["Two."] }, { text: ["Three."] }] });
    tmux.submit("/settings");
    await tmux.waitFor("Settings (");
    tmux.type("retry.enabled");
    await tmux.waitFor(/› retry\.enabled\s+true/);
    tmux.press("Enter");
    await tmux.waitFor("retry.enabled: false");
    expect(readFileSync(join(home, "agent", "config.yml"), "utf8")).toBe("retry:\n  enabled: false\n");
    tmux.submit("/settings");
    await tmux.waitFor("Settings (");
    tmux.type("retry.maxRetries");
    tmux.press("Enter");
    await tmux.waitFor("New value:");
    tmux.submit("many");
    await tmux.waitFor("retry.maxRetries is unchanged");
    tmux.submit("the first thing");
    await tmux.waitFor("One.");
    tmux.submit("the second thing");
    await tmux.waitFor("Two.");
    tmux.submit("/tree");
    await tmux.waitFor(/Continue at \(4\)/);
    expect(tmux.text).toMatch(/◉ Two\.\n.*● you: the second thing\n.*● One\.\n.*● you: the first thing/);
    tmux.type("second");
    tmux.press("Enter");
    await tmux.waitFor(/─\nthe second thing/);
    tmux.submit(" again");
    await tmux.waitFor("Three.");
    tmux.submit("/tree");
    await tmux.waitFor(/Continue at \(6\)/);
    expect(tmux.text).toContain("○ you: the second thing");
  });

  it("keeps the screen in order when it is resized while an answer streams", async () => {
    const slow = { text: NUMBERS(60, "row").map((row) => `${row}\n\n`), pauseMs: 20 };
    const tmux = await start({ replies: [slow] });
    tmux.submit("count");
    await tmux.waitFor("row 5");
    tmux.resize(60, 18);
    await tmux.waitFor(/row [2-9]\d/);
    tmux.resize(100, 30);
    await tmux.waitFor(/row 60[\s\S]*heron · ask/);
    const rows = tmux.history.match(/^row \d+$/gm)?.map((row) => Number(row.slice(4)));
    expect(rows).toEqual(NUMBERS(60, "").map(Number));
    expect(tmux.rows().filter((row) => row.includes("heron · ask"))).toHaveLength(1);
  });

  const EXTENSION = `export default (gantry) => {
  gantry.ui.setStatus("tide", "high tide");
  gantry.ui.setWidget("birds", ["two herons"]);
  gantry.registerCommand("colour", {
    description: "asks for a colour",
    async run(_args, { ui }) {
      const colour = await ui.select("Which colour?", ["red", "blue"]);
      const note = await ui.editor("A note", "written before");
      ui.setStatus("tide");
      return "chosen: " + colour + ", " + note;
    },
  });
  gantry.registerTool({
    name: "count_birds",
    description: "counts",
    parameters: { type: "object", properties: {} },
    actions: () => [{ kind: "inner" }],
    run: () => "raw result",
    render: () => ["rendered by the extension"],
  });
};
`;

  it("shows status, widgets, dialogs, commands and results of extensions", async () => {
    mkdirSync(join(home, "agent", "extensions"));
    writeFileSync(join(home, "agent", "extensions", "birds.mjs"), EXTENSION);
    const call = { name: "count_birds", args: {} };
    const tmux = await start({ replies: [{ call }, { text: ["Counted."] }] });
    await tmux.waitFor(/two herons[\s\S]*· high tide/);
    tmux.type("/col");
    await tmux.waitFor(/→ \/colour\s+asks for a colour/);
    tmux.press("C-c");
    tmux.submit("/colour");
    await tmux.waitFor("Which colour?");
    tmux.submit("2");
    await tmux.waitFor("› written before");
    tmux.submit(" it");
    await tmux.waitFor("chosen: blue, written before it");
    await tmux.waitUntilGone("high tide");
    tmux.submit("count");
    await tmux.waitFor("Counted.");
    expect(tmux.text).toContain("rendered by the extension");
    expect(tmux.text).not.toContain("raw result");
  });
});
