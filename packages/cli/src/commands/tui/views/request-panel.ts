import type { Answers, InputAnswer, InputRequest } from "@gantry/protocol";
import { stripControls, type Theme, truncateText } from "@gantry/terminal";
import { renderInput } from "@gantry/terminal/transcript";
import { choicesOf, editableLine, editedInput, questionReply, type Choice as Reply } from "../../../follow/reply.ts";
import { ScrollState } from "../state/scroll-state.ts";
import type { Program } from "../view.ts";

/** The page's keys, and the keys of the command line for the same answers. */
const PAGE_KEYS: Record<string, string> = { y: "y", s: "s", n: "n", d: "m", m: "m", e: "e" };

/** One request with all of its diff, which scrolls, and the keys that answer it. */
export class RequestPanel {
  readonly input: InputRequest;
  private readonly program: Program;
  private readonly cwd: string;
  private readonly scroll = new ScrollState();
  private rows = 0;
  private height = 1;
  private answers: Answers = {};

  constructor(program: Program, input: InputRequest, cwd: string) {
    this.program = program;
    this.input = input;
    this.cwd = cwd;
  }

  render(width: number, height: number): string[] {
    const { theme } = this.program;
    const rows = renderInput(this.input, { paint: theme, width: width - 1, full: true }, this.cwd);
    const choices = this.choiceRow(theme, width);
    const room = Math.max(1, height - 2);
    const from = this.scroll.window(rows.length, room);
    this.rows = rows.length;
    this.height = room;
    const below = rows.length - from - room;
    const place = rows.length > room ? `${from + 1}–${Math.min(rows.length, from + room)} of ${rows.length} rows` : "";
    const more = below > 0 ? `${place} · PgDn, ↓ or Space shows more` : place;
    return [...rows.slice(from, from + room), theme.dim(` ${more}`), choices];
  }

  /** The number of rows that show everything. */
  wantedRows(width: number): number {
    return renderInput(this.input, { paint: this.program.theme, width: width - 1 }, this.cwd).length + 2;
  }

  key(key: string | undefined): boolean {
    if (!key) return false;
    const move = { down: "shift+down", up: "shift+up", space: "pageDown" }[key] ?? key;
    if (this.scroll.key(move, this.rows, this.height)) return true;
    const { questions } = this.input;
    if (questions.length > 0) return this.answerQuestion(key);
    const choice = choicesOf(this.input).find((one) => one.key === (PAGE_KEYS[key] ?? key));
    if (!choice) return false;
    this.answerWith(choice);
    return true;
  }

  wheel(delta: number): void {
    this.scroll.scroll(delta, this.rows, this.height);
  }

  private choiceRow(theme: Theme, width: number): string {
    if (this.input.questions.length > 0) {
      const text = `1–9 choose · t type an answer · n decline`;
      return truncateText(` ${theme.dim(text)}`, width - 1);
    }
    const names: Record<string, string> = { m: "d" };
    const parts = choicesOf(this.input).map(
      ({ key, label }) => `${theme.bold(names[key] ?? key)} ${stripControls(label)}`,
    );
    return truncateText(` ${parts.join(theme.dim(" · "))}`, width - 1);
  }

  private answerWith(choice: Reply): void {
    const { program, input } = this;
    if (choice.more === "message") {
      program.ask("Deny with a message to the agent", "", (message) => this.send({ ...choice.answer, message }));
    } else if (choice.more === "edit") {
      program.ask("Edit, then allow", editableLine(input), (line) => {
        const edits = editedInput(input, line);
        if (edits) this.send({ ...choice.answer, edits });
        else program.notify("That is not valid input for the tool; nothing was sent.", true);
      });
    } else this.send(choice.answer);
  }

  private answerQuestion(key: string): boolean {
    const open = this.input.questions.filter(({ id }) => this.answers[id] === undefined);
    const [question] = open;
    if (!question) return false;
    if (key === "n") this.send({ decision: "deny" });
    else if (key === "t") this.program.ask(question.text, "", (text) => this.collect(question.id, text));
    else if (/^[1-9]$/.test(key)) this.collect(question.id, key);
    else return false;
    return true;
  }

  private collect(id: string, text: string): void {
    const question = this.input.questions.find((one) => one.id === id);
    const reply = question && questionReply(question, text);
    if (reply === undefined) return this.program.notify("That is none of the options.", true);
    this.answers = { ...this.answers, [id]: reply };
    const isComplete = this.input.questions.every((one) => this.answers[one.id] !== undefined);
    if (isComplete) this.send({ decision: "allow", answers: this.answers });
    else this.program.notify("Answer the next question.");
  }

  private send(answer: InputAnswer): void {
    const { program, input } = this;
    program.attempt(async () => {
      await program.client.answer(input.id, answer);
      program.store.mark(input.session);
    });
  }
}
