import { basename } from "node:path";
import type { Attachment, SessionView, TitleBy } from "@gantry/protocol";
import { titleOf } from "./title-of.ts";

export type Titled = { title: string; titleBy: TitleBy };

const UNTITLED = "Session in ";

/** The title of a new session: the given one, or one from its prompt, or from its folder. */
export function firstTitle(
  body: { title?: string; titleBy?: TitleBy; prompt?: string; attachments?: readonly Attachment[] },
  cwd: string,
): Titled {
  if (body.title !== undefined) return { title: body.title, titleBy: body.titleBy ?? "user" };
  if (body.prompt !== undefined) return { title: titleOf(body.prompt, body.attachments), titleBy: "prompt" };
  return { title: placeholder(cwd), titleBy: "prompt" };
}

/** The title that a message gives to an untitled session. */
export function titleFrom(
  view: SessionView,
  message: { text: string; attachments?: readonly Attachment[] },
): Titled | undefined {
  const untitled = view.turns <= 1 && view.titleBy !== "user" && view.title === placeholder(view.cwd);
  return untitled ? { title: titleOf(message.text, message.attachments), titleBy: "prompt" } : undefined;
}

function placeholder(cwd: string): string {
  return `${UNTITLED}${basename(cwd)}`;
}
