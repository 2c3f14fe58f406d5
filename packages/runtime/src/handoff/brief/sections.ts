import type { Attachment } from "@gantry/protocol";
import type { AskedInput, Decision, Facts, UserMessage } from "./facts.ts";
import { addSource, head, item, type Line, oneLine, quoteText } from "./line.ts";
import type { Command, TouchedFile } from "./work-facts.ts";

/** One section of a brief. If it does not fit, lines are dropped from its `cut` end, in large sections first. */
export type Section = { title: string; lines: Line[]; none: string; share: number; cut: "first" | "last" };

/** What the log does not contain. */
export type BriefContext = {
  /** The next instruction. */
  prompt?: string;
  branch?: string;
  lane?: string;
  /** Include the answers of all turns, not only the last one. */
  allAnswers?: boolean;
};

const MAX_COMMANDS = 20;
const MAX_CHARS = { goal: 6000, firm: 1500, correction: 2000, answer: 6000, earlier: 1200, plan: 3000, prompt: 8000 };

/** The fixed sections of a brief, in their order. */
export function sectionsOf(facts: Facts, outside: BriefContext): Section[] {
  const last = facts.answers.at(-1);
  const earlier = outside.allAnswers ? facts.answers.slice(0, -1) : [];
  return [
    section("Goal", goalLines(facts.messages), "No messages.", 6, "first"),
    section("Decisions", decisionLines(facts), "None.", 3, "first"),
    section("Files touched", fileLines(facts), "None.", 3, "first"),
    section("Commands", commandLines(facts.commands), "None.", 3, "first"),
    section("Open to-dos", todoLines(facts), "None.", 2, "last"),
    section("Pending questions", pendingLines(facts), "None.", 2, "first"),
    ...(outside.allAnswers ? [section("Earlier answers", earlierLines(earlier), "None.", 4, "first")] : []),
    section("Last answer", last ? quoteText(last.text, last.seq, MAX_CHARS.answer) : [], "There was none.", 4, "first"),
    section("Next step", nextLines(facts, outside.prompt), "", 4, "last"),
    section("Where", whereLines(facts, outside), "", 1, "last"),
  ];
}

function section(title: string, lines: Line[], none: string, share: number, cut: Section["cut"]): Section {
  return { title, lines: lines.filter(({ empty }) => !empty), none, share, cut };
}

/** The first message is the goal, those after it change or extend it. */
function goalLines(messages: readonly UserMessage[]): Line[] {
  const goals = messages.filter((entry) => !entry.waits && !entry.correction);
  return goals.flatMap((entry, index) => {
    const lines = messageLines(entry, MAX_CHARS.goal);
    if (index > 0) return [{ text: `Then${authorSuffix(entry)}:`, sources: [] }, ...lines];
    let firm = 0;
    for (const line of lines) {
      firm += line.text.length;
      if (firm > MAX_CHARS.firm) break;
      line.firm = true;
    }
    return lines;
  });
}

function authorSuffix({ author }: UserMessage): string {
  return author === "user" ? "" : ` (${author})`;
}

function messageLines({ text, seq, attachments }: UserMessage, most: number): Line[] {
  const lines = quoteText(text, seq, most);
  return [...lines, ...attachments.map((attachment) => attachmentLine(attachment, seq))];
}

function attachmentLine({ path, name, mime }: Attachment, seq: number): Line {
  const named = path || name || mime;
  return named ? item("attached: ", named, "", seq) : { text: "(A file without a name is attached.)", sources: [] };
}

function decisionLines({ decided, messages }: Facts): Line[] {
  const corrections = messages.filter((entry) => entry.correction && !entry.waits);
  const all = [
    ...decided.map((entry) => ({ seq: entry.answer.seq, lines: decisionOf(entry) })),
    ...corrections.map((entry) => ({ seq: entry.seq, lines: correctionOf(entry) })),
  ];
  return all.sort((a, b) => a.seq - b.seq).flatMap(({ lines }) => lines);
}

function correctionOf(entry: UserMessage): Line[] {
  const short = oneLine(entry.text);
  const files = entry.attachments.map((attachment) => attachmentLine(attachment, entry.seq));
  if (short.length <= 280) return [item(`the user${authorSuffix(entry)} wrote: "`, short, '"', entry.seq), ...files];
  return [
    { text: `- the user${authorSuffix(entry)} wrote:`, sources: [] },
    ...messageLines(entry, MAX_CHARS.correction),
  ];
}

function decisionOf({ request, seq, answer }: Decision): Line[] {
  const { decision, message, answers = {} } = answer.data;
  const lines = request.questions.map(({ id, text, secret }) => {
    const given = [answers[id] ?? []].flat().join(", ");
    if (secret || given === "") return item('question "', text, secret ? '" → a secret, not stored' : `"`, seq);
    const shown = head(oneLine(given), 500);
    return addSource(item('question "', text, `" → "${shown}"`, seq), answer.seq, shown);
  });
  const word = message ? head(oneLine(message), 500) : "";
  const named = item(`${request.kind}, ${decision}: `, request.title, word ? ` ("${word}")` : "", seq);
  const decided = addSource(named, answer.seq, word || decision);
  if (request.kind !== "plan") return request.questions.length > 0 ? lines : [decided];
  return [decided, ...lines, ...(request.detail ? quoteText(request.detail, seq, MAX_CHARS.plan) : [])];
}

function fileLines({ files, where }: Facts): Line[] {
  return files.list(where?.data.cwd).map((file) => item("", file.path, changeOf(file), file.seq, 500));
}

function changeOf({ kind, additions, deletions }: TouchedFile): string {
  const counts = [additions === undefined ? "" : `+${additions}`, deletions === undefined ? "" : `-${deletions}`];
  const parts = [kind, counts.filter((count) => count).join(" ")].filter((part) => part);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

function commandLines(commands: readonly Command[]): Line[] {
  return commands.slice(-MAX_COMMANDS).map(({ seq, command, end }) => {
    const how = end.exitCode === undefined ? end.status : `exit ${end.exitCode}`;
    const failed = end.exitCode === undefined ? end.status === "error" : end.exitCode !== 0;
    const [from, to] = command.includes("`") ? ["`` ", " ``"] : ["`", "`"];
    return addSource(item(from, command, `${to} → ${how}${failed ? ", **failed**" : ""}`, seq), end.seq, how);
  });
}

function todoLines({ plan }: Facts): Line[] {
  const open = plan?.data.entries.filter(({ status }) => status !== "completed") ?? [];
  return open.map(({ text, status }) =>
    item(status === "in_progress" ? "[in work] " : "[ ] ", text, "", plan?.seq ?? 0),
  );
}

function pendingLines({ unanswered }: Facts): Line[] {
  return [...unanswered.values()].flatMap((asked) => askedLines(asked));
}

function askedLines({ seq, request }: AskedInput): Line[] {
  const { kind, title, questions } = request;
  if (questions.length === 0) return [item(`${kind}: `, title, "", seq)];
  return questions.map(({ text, options = [] }) => {
    const labels = head(oneLine(options.map(({ label }) => label).join(" / ")), 300);
    return item(`${kind}: `, text, labels ? ` (${labels})` : "", seq);
  });
}

function earlierLines(answers: readonly { seq: number; text: string }[]): Line[] {
  return answers.flatMap(({ seq, text }) => [
    { text: "Answer:", sources: [] },
    ...quoteText(text, seq, MAX_CHARS.earlier),
  ]);
}

/** The next instruction; else the open part of the plan, a pending question, or the unfinished message. */
function nextLines(facts: Facts, prompt: string | undefined): Line[] {
  if (prompt !== undefined) {
    return quoteText(prompt, 0, MAX_CHARS.prompt).map((line) => ({ ...line, sources: [], firm: true }));
  }
  const todos = todoLines(facts).filter(({ empty }) => !empty);
  const [todo] = todos.toSorted((a, b) => Number(b.text.includes("[in work]")) - Number(a.text.includes("[in work]")));
  if (todo) return [{ ...todo, text: todo.text.replace(/^- \[.*?\] /, "- Continue with: "), firm: true }];
  const [question] = pendingLines(facts).filter(({ empty }) => !empty);
  if (question)
    return [{ ...question, text: question.text.replace(/^- /, "- This waits for an answer: "), firm: true }];
  const asked = facts.messages.findLast(({ waits, text }) => !waits && text.trim() !== "");
  const unfinished = facts.lastEnd !== undefined && facts.lastEnd.data.outcome !== "completed";
  if (asked && unfinished) return [{ ...item("Finish what was asked last: ", asked.text, "", asked.seq), firm: true }];
  const text = "- Check the state of the work and continue towards the goal.";
  return [{ text, sources: [], firm: true }];
}

function whereLines({ where }: Facts, { branch, lane }: BriefContext): Line[] {
  if (!where) return [];
  const { seq, data } = where;
  const named = lane ?? data.lane;
  return [
    { ...item("Folder: ", data.cwd, "", seq, 4096), firm: true },
    // These are read from the work tree, not from the log.
    ...(branch ? [{ text: `- Branch: ${branch}`, sources: [], firm: true as const }] : []),
    ...(named ? [{ text: `- Lane: ${named}`, sources: [], firm: true as const }] : []),
  ];
}
