import type { FileChange, InputRequest, Lane, Session } from "@gantry/protocol";
import { z } from "zod";
import { cutText } from "./cut-text.ts";

/** A request that an agent waits for. */
export const InputRow = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  command: z.string().optional(),
  options: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
  questions: z.array(z.object({ id: z.string(), text: z.string(), options: z.array(z.string()) })).optional(),
});

export const SessionRow = z.object({
  id: z.string(),
  title: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  mode: z.string(),
  state: z.enum(["idle", "running", "waiting", "limited", "ended"]),
  cwd: z.string(),
  lane: z.string().optional(),
  parent: z.string().optional(),
  lead: z.boolean().optional(),
  turns: z.number().int(),
  outcome: z.string().optional().describe("The outcome of the last turn"),
  summary: z.string().optional(),
  inputs: z.array(InputRow),
  usd: z.number().optional().describe("The cost so far in US dollars"),
  updatedAt: z.string().optional(),
});

const FileRow = z.object({
  path: z.string(),
  kind: z.string(),
  additions: z.number().int().optional(),
  deletions: z.number().int().optional(),
});

export const LaneRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  state: z.string(),
  repository: z.string(),
  path: z.string(),
  branch: z.string().optional(),
  base: z.string().optional(),
  dirty: z.boolean(),
  changes: z.number().int(),
  ahead: z.number().int(),
  behind: z.number().int(),
  sessions: z.array(z.string()),
});

const MOST_DETAIL = 2000;

export function inputRow({
  id,
  kind,
  title,
  detail,
  tool,
  options,
  questions,
}: InputRequest): z.input<typeof InputRow> {
  return {
    id,
    kind,
    title,
    ...(detail ? { detail: cutText(detail, MOST_DETAIL) } : {}),
    ...(tool?.command ? { command: cutText(tool.command, MOST_DETAIL) } : {}),
    ...(options.length > 0 ? { options: options.map((option) => ({ id: option.id, label: option.label })) } : {}),
    ...(questions.length > 0
      ? {
          questions: questions.map((question) => ({
            id: question.id,
            text: question.text,
            options: question.options.map(({ label }) => label),
          })),
        }
      : {}),
  };
}

export function sessionRow(session: Session): z.input<typeof SessionRow> {
  const { id, title, agent, model, mode, modeApplied, state, cwd, lane, parent, lead, turns, summary } = session;
  return {
    ...{ id, title, agent, model, mode: modeApplied ?? mode, state, cwd, lane, parent, turns, summary },
    ...(lead ? { lead } : {}),
    outcome: session.lastTurn?.outcome,
    inputs: session.inputs.map(inputRow),
    usd: session.cost?.usd,
    updatedAt: session.updatedAt,
  };
}

export function laneRow(lane: Lane): z.input<typeof LaneRow> {
  const { id, name, kind, state, repository, path, branch, base, dirty, changes, ahead, behind, sessions } = lane;
  const start = base?.ref ?? base?.commit;
  return { id, name, kind, state, repository, path, branch, base: start, dirty, changes, ahead, behind, sessions };
}

const MOST_FILES = 300;

/** Changed files. The fields of a result; `moreFiles`: how many are not listed. */
export const fileFields = {
  files: z.array(FileRow),
  moreFiles: z.number().int().optional().describe("How many changed files are not listed"),
};

const FileList = z.object(fileFields);

type FileList = z.infer<typeof FileList>;

export function listFiles(changes: readonly FileChange[]): FileList {
  const files = changes.slice(0, MOST_FILES).map(({ path, to, kind, additions, deletions }) => {
    return { path: to ?? path, kind, additions, deletions };
  });
  return { files, ...(changes.length > MOST_FILES ? { moreFiles: changes.length - MOST_FILES } : {}) };
}

export function fileLines({ files, moreFiles }: FileList): string[] {
  const lines = files.map(
    ({ path, kind, additions = 0, deletions = 0 }) => `${kind} ${path} (+${additions} -${deletions})`,
  );
  return moreFiles === undefined ? lines : [...lines, `… and ${moreFiles} more files`];
}

/** One line about a session. */
export function sessionLine(session: Session): string {
  const { id, agent, model, title, state, lane, lastTurn } = session;
  const outcome = state === "idle" && lastTurn ? `, ${lastTurn.outcome}` : "";
  const where = lane ? ` in lane ${lane}` : "";
  return `${id} ${state}${outcome}: "${title}" (${[agent, model].filter(Boolean).join(" ")})${where}`;
}

/** What a session waits for. */
export function inputLines(inputs: readonly InputRequest[]): string[] {
  return inputs.map(({ id, kind, title, detail }) => {
    const more = detail ? `\n  ${cutText(detail, 400)}` : "";
    return `Waits for an answer (${kind}, ${id}): ${title}${more}`;
  });
}
