import { EFFORTS, type ThinkingLevel } from "@gantry/models";
import { PERMISSION_MODES } from "../../permissions/decide.ts";
import { listSessions } from "../../sessions/listing.ts";
import type { StartedAgent } from "../../start.ts";
import { ACTIONS, type ActionId, type Bindings } from "./bindings.ts";

/** What a command may do beside speaking to the session. */
export type Desk = {
  agent: StartedAgent;
  bindings: Bindings;
  place: { agentDir: string; dir?: string };
  print(lines: readonly string[]): void;
  edit(text: string): void;
  reload(): void;
  quit(): void;
};

type Command = { about: string; run(desk: Desk, rest: string): Promise<void> | void };

const LEVELS: readonly ThinkingLevel[] = ["off", ...EFFORTS];

/** Everything that begins with a slash. What one throws is shown as it is. */
export const SLASH: Record<string, Command> = {
  help: {
    about: "this list",
    run: ({ print }) => print(Object.entries(SLASH).map(([name, { about }]) => `  /${name.padEnd(10)} ${about}`)),
  },
  hotkeys: {
    about: "what keys do",
    run: ({ print, bindings }) =>
      print(
        (Object.keys(ACTIONS) as ActionId[])
          .filter((action) => ACTIONS[action].about !== "")
          .map((action) => `  ${bindings.chordsOf(action).join(", ").padEnd(24)} ${ACTIONS[action].about}`),
      ),
  },
  model: {
    about: "/model <name> changes the model; without a name: lists them",
    async run({ agent, print }, rest) {
      const { session, registry } = agent;
      if (rest === "") {
        return print(session.availableModels().map(({ provider, id, name }) => `  ${provider}/${id}  ${name}`));
      }
      const found = registry.resolve(rest);
      if (!found) throw new Error(`There is no model ${rest}.`);
      await session.setModel(found.model.provider, found.model.id);
      if (found.thinking) session.setThinkingLevel(found.thinking);
    },
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
  compact: {
    about: "sums up the conversation; /compact <what to keep>",
    async run({ agent, print }, rest) {
      const { tokensBefore } = await agent.session.compact(rest || undefined);
      print([`  ${tokensBefore} tokens were summed up.`]);
    },
  },
  tree: {
    about: "what you said, numbered for /branch and /back",
    run: ({ agent, print }) =>
      print(
        agent.session.branchMessages().map(({ text }, at) => `  ${String(at + 1).padStart(3)}  ${text.split("\n")[0]}`),
      ),
  },
  branch: {
    about: "/branch <n> goes back to before your n-th message, in a new session",
    async run({ agent, edit, reload }, rest) {
      const message = agent.session.branchMessages()[Number(rest) - 1];
      if (!message) throw new Error("/tree shows the numbers that there are.");
      const { text } = await agent.session.branch(message.entryId);
      reload();
      edit(text);
    },
  },
  back: {
    about: "/back <n> goes back to before your n-th message, in this session; with `summary` the rest is summed up",
    async run({ agent, edit, reload }, rest) {
      const [number, wish] = rest.split(/\s+/);
      const message = agent.session.branchMessages()[Number(number) - 1];
      if (!message) throw new Error("/tree shows the numbers that there are.");
      const { text } = await agent.session.navigate(message.entryId, wish === "summary" ? { summarize: true } : {});
      reload();
      edit(text ?? "");
    },
  },
  new: {
    about: "begins a new session",
    async run({ agent, reload }) {
      await agent.session.newSession();
      reload();
    },
  },
  resume: {
    about: "/resume <n> goes on with a session of this folder; without a number: lists them",
    async run({ agent, print, place, reload }, rest) {
      const sessions = listSessions({ cwd: agent.session.cwd }, place).slice(0, 20);
      if (rest === "") {
        return print(
          sessions.map(({ title, id }, at) => `  ${String(at + 1).padStart(3)}  ${id.slice(0, 13)}  ${title ?? ""}`),
        );
      }
      const chosen = sessions[Number(rest) - 1];
      if (!chosen) throw new Error("/resume shows the numbers that there are.");
      await agent.session.switchSession(chosen.file);
      reload();
    },
  },
  export: {
    about: "/export <file> writes the session as a page",
    async run({ agent, print }, rest) {
      const { path } = await agent.session.exportHtml(rest || undefined);
      print([`  ${path}`]);
    },
  },
  session: {
    about: "what this session is and has cost",
    run({ agent, print }) {
      const { tokens, cost, totalMessages, sessionFile, sessionId } = agent.session.stats();
      print([
        `  ${sessionFile ?? `${sessionId} (only in memory)`}`,
        `  ${totalMessages} messages, ${tokens.total} tokens, $${cost.toFixed(4)}`,
      ]);
    },
  },
  quit: { about: "leaves", run: ({ quit }) => quit() },
};
