import { EFFORTS, type ThinkingLevel } from "@gantry/models";
import { formatAgo, stripControls } from "@gantry/terminal";
import { PERMISSION_MODES } from "../../permissions/decide.ts";
import { listSessions } from "../../session-files/listing.ts";
import type { CommandContext } from "./command-context.ts";
import { jobChoices, showJob, stopJob } from "./menus/job-menu.ts";
import { loginChoices, logoutChoices } from "./menus/login-menu.ts";
import { modelChoices, switchModel } from "./menus/model-menu.ts";
import { customProviderChoice, runProviderCommand } from "./menus/provider-menu.ts";
import { settingChoices } from "./menus/settings-menu.ts";
import { treeChoices } from "./menus/tree-menu.ts";
import { ACTIONS, type ActionId } from "./typing/bindings.ts";

type Command = { about: string; run(context: CommandContext, rest: string): Promise<void> | void };

/** All commands with their descriptions: the terminal's, and those of extensions and files. */
export function listCommands({ agent }: CommandContext): { name: string; description: string }[] {
  const own = Object.entries(SLASH).map(([name, { about }]) => ({ name, description: about }));
  const others = (agent.extensions?.commands() ?? []).map(({ name, description = "" }) => ({ name, description }));
  return [...own, ...others];
}

const LEVELS: readonly ThinkingLevel[] = ["off", ...EFFORTS];

/** The slash commands. The message of an error that a command throws is printed. */
export const SLASH: Record<string, Command> = {
  help: {
    about: "shows this list",
    run: (context) =>
      context.print(
        listCommands(context).map(({ name, description }) => stripControls(`  /${name.padEnd(10)} ${description}`)),
      ),
  },
  hotkeys: {
    about: "lists the key bindings",
    run: ({ print, bindings }) =>
      print(
        (Object.keys(ACTIONS) as ActionId[])
          .filter((action) => ACTIONS[action].about !== "" && bindings.chordsOf(action).length > 0)
          .map((action) => `  ${bindings.chordsOf(action).join(", ").padEnd(24)} ${ACTIONS[action].about}`),
      ),
  },
  model: {
    about: "changes the model; /model <name> switches directly",
    run(context, rest) {
      if (rest !== "") return switchModel(context, rest, { persist: false });
      context.pick("Model or preset", modelChoices(context, { persist: false }));
    },
  },
  login: {
    about: "logs in to a provider, or stores a key",
    async run(context, rest) {
      const choices = [customProviderChoice(context), ...(await loginChoices(context))];
      const match = choices.find(
        ({ label, detail }) => rest !== "" && (label === rest || detail?.includes(`(${rest})`)),
      );
      return match ? match.pick() : context.pick("Log in to", choices);
    },
  },
  logout: {
    about: "removes a key or a login",
    run: (context) => context.pick("Remove", logoutChoices(context)),
  },
  provider: {
    about: "lists providers; /provider add, test or remove",
    run: (context, rest) => runProviderCommand(context, rest),
  },
  thinking: {
    about: `/thinking <${LEVELS.join("|")}>`,
    run({ agent, print }, rest) {
      const level = LEVELS.find((each) => each === rest);
      if (!level) return print([`  thinking: ${agent.session.state().thinkingLevel}`]);
      agent.session.setThinkingLevel(level);
    },
  },
  mode: {
    about: `/mode <${PERMISSION_MODES.join("|")}>`,
    run({ agent, print }, rest) {
      const mode = PERMISSION_MODES.find((each) => each === rest);
      if (!mode) return print([`  mode: ${agent.session.state().mode}`]);
      agent.session.setMode(mode);
    },
  },
  queue: {
    about: "/queue resume runs messages that a stop holds; /queue clear removes them",
    async run({ agent, print }, rest) {
      if (rest === "resume") return agent.session.resumeQueue();
      if (rest === "clear") return void agent.session.clearQueue();
      const { queuedMessageCount, heldMessageCount } = agent.session.state();
      print([`  ${queuedMessageCount} queued, ${heldMessageCount} of them held`]);
    },
  },
  jobs: {
    about: "lists background jobs; /jobs <id> shows the output of one, /jobs stop <id> stops it",
    run(context, rest) {
      const [word = "", id] = rest.split(/\s+/);
      if (word === "stop" && id !== undefined) return stopJob(context, id);
      if (word !== "") return showJob(context, word);
      const choices = jobChoices(context);
      if (choices.length === 0) return context.print(["  No background job was started."]);
      context.pick("Background jobs", choices);
    },
  },
  memory: {
    about: "/memory view, clear or enqueue: the notes from earlier sessions",
    async run({ agent, print }, rest) {
      const { runMemoryCommand } = await import("../../memory/command.ts");
      const text = await runMemoryCommand(agent.memory, rest);
      print(
        stripControls(text)
          .split("\n")
          .map((line) => `  ${line}`),
      );
    },
  },
  settings: {
    about: "lists the settings with their values, and changes them",
    run: async (context) => context.pick("Settings", await settingChoices(context)),
  },
  compact: {
    about: "summarises the conversation; /compact <instructions>",
    async run({ agent, print }, rest) {
      const { tokensBefore } = await agent.session.compact(rest || undefined);
      print([`  ${tokensBefore} tokens were summarised.`]);
    },
  },
  tree: {
    about: "shows all branches of this session; continues at the chosen message",
    run: (context) => context.pick("Continue at", treeChoices(context)),
  },
  branch: {
    about: "/branch <n> continues before your n-th message, in a new session",
    run(context, rest) {
      const message = context.agent.session.branchMessages()[Number(rest) - 1];
      if (!message) throw new Error("/branch needs the number of one of your messages. /tree lists them.");
      return branch(context, message.entryId);
    },
  },
  back: {
    about: "/back <n> continues before your n-th message, in this session; /back <n> summary summarises the rest",
    async run({ agent, edit, reload }, rest) {
      const [number, option] = rest.split(/\s+/);
      const message = agent.session.branchMessages()[Number(number) - 1];
      if (!message) throw new Error("There is no message with that number. /tree lists them.");
      const { text } = await agent.session.navigate(message.entryId, option === "summary" ? { summarize: true } : {});
      reload();
      edit(text ?? "");
    },
  },
  new: {
    about: "starts a new session",
    async run({ agent, reload }) {
      await agent.session.newSession();
      reload();
    },
  },
  resume: {
    about: "resumes another session of this folder",
    run({ agent, place, pick, reload }) {
      const sessions = listSessions({ cwd: agent.session.cwd }, place).filter(({ id }) => id !== agent.session.id);
      const choices = sessions.slice(0, 100).map(({ title, firstMessage, id, file, modifiedAt }) => ({
        label: title ?? firstMessage ?? id.slice(0, 13),
        detail: formatAgo(new Date(modifiedAt).toISOString(), Date.now()),
        async pick() {
          await agent.session.switchSession(file);
          reload();
        },
      }));
      pick("Resume", choices);
    },
  },
  rename: {
    about: "/rename <title> renames this session",
    async run({ agent }, rest) {
      await agent.session.setName(rest);
    },
  },
  export: {
    about: "/export <file> exports the session as an HTML page",
    async run({ agent, print }, rest) {
      const { path } = await agent.session.exportHtml(rest || undefined);
      print([`  ${path}`]);
    },
  },
  session: {
    about: "shows the file, size and cost of this session",
    run({ agent, print }) {
      const { tokens, cost, totalMessages, sessionFile, sessionId } = agent.session.stats();
      print([
        `  ${sessionFile ?? `${sessionId} (only in memory)`}`,
        `  ${totalMessages} messages, ${tokens.total} tokens, $${cost.toFixed(4)}`,
      ]);
    },
  },
  extensions: {
    about: "lists extensions, hooks and commands of files",
    run({ agent, print }) {
      const rows = agent.extensions?.list() ?? [];
      if (rows.length === 0) return print(["  There are no extensions."]);
      print(
        rows.map(({ name, state, from, problem }) => `  ${name}: ${state} (${from})${problem ? ` ${problem}` : ""}`),
      );
    },
  },
  reload: {
    about: "loads extensions, hooks and commands of files again",
    async run({ agent, print }) {
      if (!agent.extensions)
        return print(["  There were none when the agent started. Restart it to load the first one."]);
      const names = await agent.extensions.reload(true);
      print([names.length === 0 ? "  Nothing has changed." : `  Loaded: ${names.join(", ")}`]);
    },
  },
  quit: { about: "quits", run: ({ quit }) => quit() },
};

async function branch({ agent, edit, reload }: CommandContext, entryId: string): Promise<void> {
  const { text } = await agent.session.branch(entryId);
  reload();
  edit(text);
}
