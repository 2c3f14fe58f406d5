import type { Envelope } from "../events/envelope.ts";
import { cutText, plainText, trimEndOf } from "./plain-text.ts";
import type { SessionView, Tally } from "./types.ts";

const MOST_FILES = 20;

const LONGEST_SENTENCE = 200;

/** Enough for a first sentence. Only this prefix is read: a text may have megabytes. */
const LOOKED_AT = 4000;

const CHANGING = ["edit", "delete", "move"];

type SummaryChange = Partial<Pick<SessionView, "tally" | "summary" | "summaryBy">>;

/** The change of the summary by an event. `view` is the state before it. */
export function updateSummary(view: SessionView, event: Envelope): SummaryChange | undefined {
  if (event.type === "turn.started") return { tally: { files: [], commands: 0 } };
  const { tally } = view;
  if (!tally) return undefined;
  switch (event.type) {
    case "message.done":
      return event.data.parent === undefined ? { tally: tallyAnswer(tally, event.data) } : undefined;
    case "tool.ended":
      return { tally: tallyTool(tally, view, event.data) };
    case "turn.ended": {
      const text = sentences(tally, event.data);
      return { tally: undefined, ...(text ? { summary: text, summaryBy: "log" as const } : {}) };
    }
    default:
      return undefined;
  }
}

/** One or two sentences: the start of the last answer, and the counts of files and commands. */
function sentences(tally: Tally, { outcome, error }: Envelope<"turn.ended">["data"]): string {
  const failed = outcome === "failed" ? `The turn failed: ${firstSentence(error?.message ?? "no reason given")}` : "";
  const counts = [
    tally.files.length > 0 ? `${countText(tally.files.length, "file", MOST_FILES)} changed` : "",
    tally.commands > 0 ? `${countText(tally.commands, "command")} run` : "",
  ].filter((part) => part !== "");
  const deeds = counts.length > 0 ? `${counts.join(", ")}.` : "";
  return [failed || (tally.answer ?? ""), deeds].filter((part) => part !== "").join(" ");
}

function countText(count: number, what: string, most = Number.POSITIVE_INFINITY): string {
  return `${count}${count >= most ? " or more" : ""} ${what}${count === 1 ? "" : "s"}`;
}

function tallyAnswer(tally: Tally, { text, phase }: Envelope<"message.done">["data"]): Tally {
  const answer = firstSentence(text);
  if (!answer || (tally.final && phase !== "final")) return tally;
  return { ...tally, answer, ...(phase === "final" ? { final: true } : {}) };
}

function tallyTool(
  tally: Tally,
  view: SessionView,
  { item, status, changes = [] }: Envelope<"tool.ended">["data"],
): Tally {
  if (status === "denied") return tally;
  const tool = view.tools.find((open) => open.item === item);
  const paths = changes.map(({ path, to }) => to ?? path);
  // An agent that reports no changes still reports the path that the tool worked on.
  if (paths.length === 0 && status === "ok" && tool && CHANGING.includes(tool.kind))
    paths.push(tool.path ?? tool.title);
  const commands = tally.commands + (tool?.kind === "execute" ? 1 : 0);
  if (paths.length === 0) return { ...tally, commands };
  const files = [...new Set([...tally.files, ...paths.map((path) => cutText(path, LONGEST_SENTENCE))])];
  return { ...tally, files: files.slice(0, MOST_FILES), commands };
}

/** The first sentence of a text, as one line. */
export function firstSentence(text: string): string {
  const line = plainText(text.trimStart().slice(0, LOOKED_AT)).replace(/\s+/g, " ");
  const [sentence = line] = /^.+?(?:[.!?…](?=\s|$)|[。！？])/u.exec(line) ?? [];
  if (sentence.length > LONGEST_SENTENCE) return `${cutText(sentence, LONGEST_SENTENCE - 1).trimEnd()}…`;
  return /[.!?…。！？]$/u.test(sentence) || sentence === "" ? sentence : `${trimEndOf(sentence, /[\s,;:–—-]/)}.`;
}
