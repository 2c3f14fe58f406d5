import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Answers, Attachment, Envelope, InputRequest, PatchSession, QueueState, Session } from "@gantry/protocol";
import { openPromptHistory, shortId, wrapText } from "@gantry/terminal";
import { loadHighlighter } from "@gantry/terminal/transcript";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import { choiceLines } from "../../follow/ask.ts";
import { ComposerSurface } from "../../follow/composer-surface.ts";
import { reportReconnects } from "../../follow/reconnect.ts";
import { choicesOf } from "../../follow/reply.ts";
import { transcriptView, type View } from "../../follow/view.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { contextLines, loadContext } from "../sessions/context-parts.ts";
import { appliedLines } from "../sessions/set.ts";
import { settingLines } from "../sessions/show.ts";
import { taskLine } from "../tasks/tasks.ts";
import { type Completable, slashItems } from "./attach-completion.ts";
import { HELP, type Meaning, meaningOf } from "./attach-line.ts";

const REPLAYED = 300;

/** Events after which the agent's commands, models or controls may differ. */
const COMPLETION_EVENTS: ReadonlySet<Envelope["type"]> = new Set(["commands.changed", "session.updated", "turn.ended"]);

/** Follows a session live, sends every typed line, and lets the user answer inputs in place. */
export default async function attach(this: Context, _flags: Record<never, never>, name: string): Promise<void> {
  if (!this.output.interactive) {
    throw usageError(
      "attach needs a terminal.",
      "In a pipe, follow with `gantry logs -f <session>` and send with `gantry send`.",
    );
  }
  const client = await connect(this);
  const session = await resolveSession(client, name);
  await Promise.all([client.sessions.warmUp(session.id), loadHighlighter()]);
  await new AttachedSession(this, client, session).run();
}

class AttachedSession {
  private readonly context: Context;
  private readonly client: Client;
  private readonly session: Session;
  private readonly leave = new AbortController();
  private readonly surface: ComposerSurface;
  private readonly view: View;
  private inputs: InputRequest[] = [];
  private answers: Answers = {};
  private running = false;
  private live = false;
  private completable: Completable;

  constructor(context: Context, client: Client, session: Session) {
    this.context = context;
    this.client = client;
    this.session = session;
    this.completable = { session, commands: session.commands ?? [] };
    context.output.print(this.dimRows(HELP));
    const folders = session.folders ?? [];
    if (folders.length > 0) context.output.print(context.output.paint.dim(`Further folders: ${folders.join(", ")}`));
    this.surface = new ComposerSurface({
      theme: context.output.paint,
      cwd: process.cwd(),
      env: context.env,
      history: openPromptHistory(join(context.home, "history.jsonl")),
      commands: () => slashItems(this.completable),
      files: async (q, limit) => (await client.files.find({ session: session.id, q, limit })).files,
      submit: (text, attachments) => this.submit(text, attachments),
      interrupt: () => this.obey(this.running ? { do: "stop" } : { do: "quit" }),
      stop: () => this.obey(this.running ? { do: "stop" } : { do: "nothing" }),
      end: () => this.leave.abort(),
      footer: () => footerText(this.completable.session),
    });
    this.view = transcriptView(context.output, this.surface, {
      cwd: session.cwd,
      turnStartedAt: session.turn?.startedAt,
      // The replay contains the start of younger tasks.
      tasks: session.tasks,
    });
  }

  async run(): Promise<void> {
    const { signal } = this.leave;
    const after = Math.max(0, this.session.lastSeq - REPLAYED);
    if (after > 0) this.view.print([`${after} earlier events are not shown: gantry logs ${shortId(this.session.id)}`]);
    void this.loadCompletable();
    const onReconnect = reportReconnects((text) => this.view.print([text]));
    try {
      for await (const frame of this.client.follow(this.session.id, { after, signal, onReconnect })) {
        this.view.show(frame);
        if ("event" in frame) this.see(frame.event);
        if ("snapshot" in frame) this.caughtUp();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.view.close();
    }
    this.context.output.note(
      `Detached; the session keeps running. To come back: gantry attach ${shortId(this.session.id)}`,
    );
  }

  private see(event: Envelope): void {
    if (event.type === "turn.started") this.running = true;
    if (event.type === "turn.ended") this.running = false;
    // A handoff or a change of settings may change what can be completed.
    if (this.live && COMPLETION_EVENTS.has(event.type)) void this.loadCompletable();
    if (event.type === "input.requested") {
      this.inputs.push(event.data);
      if (this.inputs.length === 1) this.showChoices();
    }
    if (event.type === "input.resolved") this.settle(event.data.id);
    if (event.type === "session.updated" && event.data.patch.queueState)
      this.showQueueState(event.data.patch.queueState);
  }

  /** Loads the agent's commands, models and controls for completion. Until then, and if it fails, Tab knows less. */
  private async loadCompletable(): Promise<void> {
    try {
      const session = await this.client.sessions.get(this.session.id);
      const { agent: row } = await this.client.agents.get(session.agent);
      const known = session.commands ?? (await this.client.agents.commands(session.agent, session.cwd)).commands;
      this.completable = { session, row, commands: known };
    } catch {}
  }

  private settle(id: string): void {
    const wasFirst = this.inputs[0]?.id === id;
    this.inputs = this.inputs.filter((input) => input.id !== id);
    if (!wasFirst) return;
    this.answers = {};
    this.showChoices();
  }

  /** The replay has ended: prompts for the inputs that are still pending. */
  private caughtUp(): void {
    this.live = true;
    this.showChoices();
  }

  private showChoices(): void {
    const [input] = this.inputs;
    if (!this.live || !input) return;
    if (input.questions.length === 0) this.view.print(choiceLines(choicesOf(input), this.context.output));
  }

  private submit(text: string, attachments: Attachment[]): void {
    const meaning = meaningOf(text, this.inputs[0], this.answers, this.completable.commands);
    this.obey(meaning.do === "send" ? { ...meaning, attachments } : meaning);
  }

  private obey(meaning: Meaning): void {
    switch (meaning.do) {
      case "quit":
        this.leave.abort();
        return;
      case "prefill":
        this.surface.prefill(meaning.text);
        return;
      case "print":
        this.view.print(this.dimRows(meaning.lines));
        return;
      case "collect":
        this.answers = meaning.answers;
        return;
      case "nothing":
        return;
      default:
        this.request(meaning).catch((error: Error) => this.view.print([this.context.output.paint.red(error.message)]));
    }
  }

  private async request(
    meaning: Extract<
      Meaning,
      {
        do:
          | "stop"
          | "send"
          | "answer"
          | "resume"
          | "clear"
          | "now"
          | "takeBack"
          | "set"
          | "context"
          | "tasks"
          | "stopTask";
      }
    >,
  ): Promise<void> {
    const { id } = this.session;
    const params = { id };
    if (meaning.do === "stop") {
      await this.client.call("interrupt", { params });
      return;
    }
    if (meaning.do === "set") return this.changeSettings(meaning.changes);
    if (meaning.do === "context") return this.showContext();
    if (meaning.do === "resume") return void (await this.client.sessions.setQueue(id, "running"));
    if (meaning.do === "clear" || meaning.do === "now") return this.changeQueue(meaning);
    if (meaning.do === "takeBack") return this.takeBack(meaning.place);
    if (meaning.do === "tasks" || meaning.do === "stopTask") return this.changeTasks(meaning);
    if (meaning.do === "answer") {
      const input = this.inputs[0];
      if (input) await this.client.call("answerInput", { params: { id: input.id }, body: meaning.answer });
      return;
    }
    const { text, delivery, attachments } = meaning;
    const sent = await this.client.call("sendMessage", { params, body: { text, delivery, attachments } });
    if (sent.disposition === "interrupting")
      this.view.print([this.context.output.paint.dim("interrupting the turn first")]);
  }

  /** Sends one queued message at once, or removes all of them. */
  private async changeQueue(meaning: Extract<Meaning, { do: "clear" | "now" }>): Promise<void> {
    const { sessions } = this.client;
    const { id, queue } = await sessions.get(this.session.id);
    if (meaning.do === "clear") {
      for (const { message } of queue) await sessions.cancelMessage(id, message);
      return;
    }
    const entry = queue[meaning.place - 1];
    if (entry) await sessions.editMessage(id, entry.message, { delivery: "interrupt" });
    else this.view.print([this.context.output.paint.dim(`the queue has no place ${meaning.place}`)]);
  }

  /** The transcript reports the result. */
  private async takeBack(place: number | undefined): Promise<void> {
    const { id, steers = [] } = await this.client.sessions.get(this.session.id);
    const entry = place === undefined ? steers.at(-1) : steers[place - 1];
    if (entry) await this.client.sessions.cancelMessage(id, entry.message);
    else this.view.print([this.context.output.paint.dim("the agent has read every message")]);
  }

  private async changeSettings(changes: PatchSession): Promise<void> {
    const { sessions } = this.client;
    const { paint } = this.context.output;
    const lines =
      Object.keys(changes).length > 0
        ? appliedLines(await sessions.patch(this.session.id, changes))
        : settingLines(await sessions.get(this.session.id));
    this.view.print(lines.map((line) => paint.dim(line)));
  }

  private async showContext(): Promise<void> {
    const session = await this.client.sessions.get(this.session.id);
    this.view.print(contextLines(await loadContext(this.client, session), this.context.output.paint));
  }

  /** Lists the background tasks, or stops one. Its end is an event. */
  private async changeTasks(meaning: Extract<Meaning, { do: "tasks" | "stopTask" }>): Promise<void> {
    const { paint } = this.context.output;
    const tasks = await this.client.tasks.list(this.session.id);
    if (meaning.do === "stopTask") {
      const task = tasks.find(({ task: id }, index) => id === meaning.place || String(index + 1) === meaning.place);
      if (!task) return this.view.print([paint.dim(`there is no task ${meaning.place}`)]);
      await this.client.tasks.stop(this.session.id, task.task);
      return this.view.print([paint.dim(`asked ${task.title} to stop`)]);
    }
    if (tasks.length === 0) return this.view.print([paint.dim("no background tasks")]);
    this.view.print(tasks.map((task, index) => `${paint.dim(`${index + 1}.`)} ${taskLine(task, paint)}`));
  }

  private dimRows(lines: readonly string[]): string[] {
    const { paint, width } = this.context.output;
    const rows = lines.flatMap((line) => wrapText(line, width?.() ?? 0));
    return rows.map((row) => paint.dim(row));
  }

  private showQueueState(state: QueueState): void {
    const text =
      state === "paused"
        ? "the queue is paused · /resume runs it, /clear empties it, /now <place> sends one message"
        : "the queue runs again";
    if (this.live) this.view.print([this.context.output.paint.dim(text)]);
  }
}

function footerText(session: Completable["session"]): string {
  const facts = [session.agent, session.model, session.mode && `mode ${session.mode}`];
  return `${facts.filter(Boolean).join(" · ")} · / commands · @ files · ctrl+g editor · esc stop · ctrl+d leave`;
}
