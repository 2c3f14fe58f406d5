import type { Attachment } from "@gantry/protocol";
import type { Asked, Decided, Facts, Said } from "./facts.ts";
import { also, head, item, type Line, oneLine, quoted } from "./line.ts";
import type { Command, TouchedFile } from "./work-facts.ts";

/** One section of a brief. Where not everything fits, lines go from its `cut` end, and from large sections first. */
export type Section = { title: string; lines: Line[]; none: string; share: number; cut: "first" | "last" };

/** What the log does not know. */
export type Outside = {
  /** What the next agent is to do. */
  prompt?: string;
  branch?: string;
  lane?: string;
  /** The answers of all turns, and not only the last one. */
  allAnswers?: boolean;
};

const COMMANDS = 20;
const LONG = { goal: 6000, firm: 1500, correction: 2000, answer: 6000, earlier: 1200, plan: 3000, prompt: 8000 };

/** The fixed sections of a brief, in their order. */
export function sectionsOf(facts: Facts, outside: Outside): Section[] {
  const last = facts.answers.at(-1);
  const earlier = outside.allAnswers ? facts.answers.slice(0, -1) : [];
  return [
    section("Goal", goalLines(facts.said), "Nothing was asked for.", 6, "first"),
    section("Decisions", decisionLines(facts), "None.", 3, "first"),
    section("Files touched", fileLines(facts), "None.", 3, "first"),
    section("Commands", commandLines(facts.commands), "None.", 3, "first"),
    section("Open to-dos", todoLines(facts), "None.", 2, "last"),
    section("Pending questions", pendingLines(facts), "None.", 2, "first"),
    ...(outside.allAnswers ? [section("Earlier answers", earlierLines(earlier), "None.", 4, "first")] : []),
    section("Last answer", last ? quoted(last.text, last.seq, LONG.answer) : [], "There was none.", 4, "first"),
    section("Next step", nextLines(facts, outside.prompt), "", 4, "last"),
    section("Where", whereLines(facts, outside), "", 1, "last"),
  ];
}

function section(title: string, lines: Line[], none: string, share: number, cut: Section["cut"]): Section {
  // What has no words says nothing.
  return { title, lines: lines.filter(({ empty }) => !empty), none, share, cut };
}

/** The first message is the goal, those after it change or extend it. */
function goalLines(said: readonly Said[]): Line[] {
  const told = said.filter((entry) => !entry.waits && !entry.correction);
  return told.flatMap((entry, index) => {
    const lines = saidLines(entry, LONG.goal);
    if (index > 0) return [{ text: `Then${by(entry)}:`, sources: [] }, ...lines];
    let firm = 0;
    for (const line of lines) {
      firm += line.text.length;
      if (firm > LONG.firm) break;
      line.firm = true;
    }
    return lines;
  });
}

function by({ author }: Said): string {
  return author === "user" ? "" : ` (${author})`;
}

function saidLines({ text, seq, attachments }: Said, most: number): Line[] {
  const lines = quoted(text, seq, most);
  return [...lines, ...attachments.map((attachment) => attachmentLine(attachment, seq))];
}

function attachmentLine({ path, name, mime }: Attachment, seq: number): Line {
  const named = path || name || mime;
  return named ? item("attached: ", named, "", seq) : { text: "(A file without a name is attached.)", sources: [] };
}

function decisionLines({ decided, said }: Facts): Line[] {
  const corrections = said.filter((entry) => entry.correction && !entry.waits);
  const all = [
    ...decided.map((entry) => ({ seq: entry.answer.seq, lines: decisionOf(entry) })),
    ...corrections.map((entry) => ({ seq: entry.seq, lines: correctionOf(entry) })),
  ];
  return all.sort((a, b) => a.seq - b.seq).flatMap(({ lines }) => lines);
}

function correctionOf(entry: Said): Line[] {
  const short = oneLine(entry.text);
  const files = entry.attachments.map((attachment) => attachmentLine(attachment, entry.seq));
  if (short.length <= 280) return [item(`the user${by(entry)} said: "`, short, '"', entry.seq), ...files];
  return [{ text: `- the user${by(entry)} said:`, sources: [] }, ...saidLines(entry, LONG.correction)];
}

function decisionOf({ request, seq, answer }: Decided): Line[] {
  const { decision, message, answers = {} } = answer.data;
  const lines = request.questions.map(({ id, text, secret }) => {
    const given = [answers[id] ?? []].flat().join(", ");
    if (secret || given === "") return item('question "', text, secret ? '" → a secret, not kept' : `"`, seq);
    const shown = head(oneLine(given), 500);
    return also(item('question "', text, `" → "${shown}"`, seq), answer.seq, shown);
  });
  const word = message ? head(oneLine(message), 500) : "";
  const named = item(`${request.kind}, ${decision}: `, request.title, word ? ` ("${word}")` : "", seq);
  const decided = also(named, answer.seq, word || decision);
  if (request.kind !== "plan") return request.questions.length > 0 ? lines : [decided];
  return [decided, ...lines, ...(request.detail ? quoted(request.detail, seq, LONG.plan) : [])];
}

function fileLines({ files, where }: Facts): Line[] {
  const root = where ? `${where.data.cwd}/` : undefined;
  return files.list().map((file) => {
    const path = root && file.path.startsWith(root) ? file.path.slice(root.length) : file.path;
    return item("", path, changeOf(file), file.seq, 500);
  });
}

function changeOf({ kind, additions, deletions }: TouchedFile): string {
  const counts = [additions === undefined ? "" : `+${additions}`, deletions === undefined ? "" : `-${deletions}`];
  const parts = [kind, counts.filter((count) => count).join(" ")].filter((part) => part);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

function commandLines(commands: readonly Command[]): Line[] {
  return commands.slice(-COMMANDS).map(({ seq, command, end }) => {
    const how = end.exitCode === undefined ? end.status : `exit ${end.exitCode}`;
    const failed = end.exitCode === undefined ? end.status === "error" : end.exitCode !== 0;
    const [from, to] = command.includes("`") ? ["`` ", " ``"] : ["`", "`"];
    return also(item(from, command, `${to} → ${how}${failed ? ", **failed**" : ""}`, seq), end.seq, how);
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

function askedLines({ seq, request }: Asked): Line[] {
  const { kind, title, questions } = request;
  if (questions.length === 0) return [item(`${kind}: `, title, "", seq)];
  return questions.map(({ text, options = [] }) => {
    const labels = head(oneLine(options.map(({ label }) => label).join(" / ")), 300);
    return item(`${kind}: `, text, labels ? ` (${labels})` : "", seq);
  });
}

function earlierLines(answers: readonly { seq: number; text: string }[]): Line[] {
  return answers.flatMap(({ seq, text }) => [{ text: "Answer:", sources: [] }, ...quoted(text, seq, LONG.earlier)]);
}

/** What the user says; else what is left of the plan, what was asked, or what was not finished. */
function nextLines(facts: Facts, prompt: string | undefined): Line[] {
  if (prompt !== undefined) {
    return quoted(prompt, 0, LONG.prompt).map((line) => ({ ...line, sources: [], firm: true }));
  }
  const todos = todoLines(facts).filter(({ empty }) => !empty);
  const [todo] = todos.toSorted((a, b) => Number(b.text.includes("[in work]")) - Number(a.text.includes("[in work]")));
  if (todo) return [{ ...todo, text: todo.text.replace(/^- \[.*?\] /, "- Go on with: "), firm: true }];
  const [question] = pendingLines(facts).filter(({ empty }) => !empty);
  if (question)
    return [{ ...question, text: question.text.replace(/^- /, "- This waits for an answer: "), firm: true }];
  const asked = facts.said.findLast(({ waits, text }) => !waits && text.trim() !== "");
  const unfinished = facts.lastEnd !== undefined && facts.lastEnd.data.outcome !== "completed";
  if (asked && unfinished) return [{ ...item("Finish what was asked last: ", asked.text, "", asked.seq), firm: true }];
  const text = "- Look at how the work stands and go on with what the goal still asks for.";
  return [{ text, sources: [], firm: true }];
}

function whereLines({ where }: Facts, { branch, lane }: Outside): Line[] {
  if (!where) return [];
  const { seq, data } = where;
  const named = lane ?? data.lane;
  return [
    { ...item("Folder: ", data.cwd, "", seq, 4096), firm: true },
    // These are read where the work is and not in the log.
    ...(branch ? [{ text: `- Branch: ${branch}`, sources: [], firm: true as const }] : []),
    ...(named ? [{ text: `- Lane: ${named}`, sources: [], firm: true as const }] : []),
  ];
}
