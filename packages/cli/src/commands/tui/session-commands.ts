import type { Session } from "@gantry/protocol";
import type { SlashItem } from "@gantry/terminal/toolkit";
import { contextLines, loadContext } from "../sessions/context-parts.ts";
import { appliedLines } from "../sessions/set.ts";
import { settingLines } from "../sessions/show.ts";
import { type Completable, slashItems } from "../work/attach-completion.ts";
import { type Meaning, meaningOf } from "../work/attach-line.ts";
import type { Program } from "./view.ts";
import { ReviewView } from "./views/review-view.ts";
import { TextView } from "./views/text-view.ts";
import { WorkView } from "./views/work-view.ts";

type Target = { readonly id: string; readonly session: Session | undefined };

const OWN: readonly SlashItem[] = [
  { name: "review", description: "read the changes and comment on lines" },
  { name: "work", description: "the queue and the background tasks" },
  { name: "handoff", description: "hand the session to another agent" },
  { name: "rename", hint: "<title>", description: "change the title" },
  { name: "archive", description: "move the session to the archive" },
];

/** The commands of a session view: those of `attach`, and those that open another view. */
export function sessionCommands(program: Program, known: Completable, target: Target) {
  const items: SlashItem[] = [...OWN, ...slashItems(known)];
  return {
    items,
    /** Runs a typed command. Returns false for a message. */
    run(text: string): boolean {
      const [name = "", ...rest] = text.trim().split(/\s+/);
      const own = OWN.find((item) => `/${item.name}` === name);
      if (own) {
        runOwn(program, target, own.name, rest.join(" "));
        return true;
      }
      if ((name === "/model" || name === "/mode" || name === "/effort") && rest.length === 0) {
        pickSetting(program, known, target, name.slice(1));
        return true;
      }
      const meaning = meaningOf(text, undefined, {}, known.commands);
      if (meaning.do === "send" && meaning.delivery === "auto" && !name.startsWith("/send")) return false;
      program.attempt(() => obey(program, target, meaning));
      return true;
    },
  };
}

function runOwn(program: Program, { id, session }: Target, name: string, rest: string): void {
  const { client } = program;
  if (name === "review") program.open(new ReviewView(program, id));
  else if (name === "work") program.open(new WorkView(program, id));
  else if (name === "handoff") pickHandoff(program, id, session?.agent);
  else if (name === "rename") {
    const rename = (title: string) => program.attempt(() => client.sessions.patch(id, { title }));
    if (rest) rename(rest);
    else program.ask("Title", session?.title ?? "", rename);
  } else program.attempt(() => archive(program, id));
}

async function archive(program: Program, id: string): Promise<void> {
  await program.client.sessions.patch(id, { archived: true });
  program.store.mark(id);
  program.back();
}

/** Chooses the next agent, then hands the session to it. */
export function pickHandoff(program: Program, id: string, current: string | undefined): void {
  program.attempt(async () => {
    const agents = await program.client.agents.list();
    const choices = agents
      .filter((row) => row.state === "ready" && row.id !== current)
      .map((row) => ({ id: row.id, label: row.name, about: row.version ?? "" }));
    program.pick("Hand off to", choices, (choice) => {
      program.attempt(async () => {
        const { handoff } = await program.client.sessions.handOff(id, { agent: choice.id, interrupt: true });
        program.notify(`${handoff.from} → ${handoff.to}: ${handoff.state}`);
      });
    });
  });
}

/** A list of the models, modes or efforts of the agent. */
function pickSetting(program: Program, known: Completable, { id }: Target, name: string): void {
  const values =
    slashItems(known)
      .find((item) => item.name === name)
      ?.values?.() ?? [];
  const names = new Map(known.row?.models.items.map((model) => [model.id, model.name]));
  const choices = values.map(({ value }) => ({ id: value, label: value, about: names.get(value) ?? "" }));
  program.pick(`Choose the ${name}`, choices, (choice) => {
    program.attempt(async () => {
      const result = await program.client.sessions.patch(id, { [name]: choice.id });
      program.store.mark(id);
      program.notify(appliedLines(result).join(" · "));
    });
  });
}

async function obey(program: Program, { id }: Target, meaning: Meaning): Promise<void> {
  const { client, theme } = program;
  const { sessions } = client;
  switch (meaning.do) {
    case "quit":
      return program.back();
    case "stop":
      await sessions.interrupt(id);
      break;
    case "resume":
      await sessions.setQueue(id, "running");
      break;
    case "clear":
      for (const { message } of (await sessions.get(id)).queue) await sessions.cancelMessage(id, message);
      break;
    case "now":
    case "takeBack":
    case "tasks":
    case "stopTask":
      return program.open(new WorkView(program, id));
    case "set": {
      const changed = Object.keys(meaning.changes).length > 0;
      if (changed) program.notify(appliedLines(await sessions.patch(id, meaning.changes)).join(" · "));
      else program.open(new TextView(program, "Settings", async () => settingLines(await sessions.get(id))));
      break;
    }
    case "context":
      return program.open(
        new TextView(program, "Context", async () =>
          contextLines(await loadContext(client, await sessions.get(id)), theme),
        ),
      );
    case "send": {
      const { disposition } = await sessions.send(id, { text: meaning.text, delivery: meaning.delivery });
      program.notify(`The message is ${disposition}.`);
      break;
    }
    case "print":
      return program.notify(meaning.lines[0] ?? "", true);
    default:
      return;
  }
  program.store.mark(id);
}
