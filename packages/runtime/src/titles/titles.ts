import { type Envelope, plainText, type SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Store, StoredEvent } from "../log/port.ts";
import type { TextHelper } from "../text-helper/port.ts";
import { summaryPrompt, titlePrompt } from "./prompts.ts";
import { validTitle } from "./valid-title.ts";

export type TitlesDeps = {
  config: Config;
  textHelper: TextHelper;
  store: Store;
  /** Whether the project of a folder lets a model write titles. Reads its file. */
  isAllowedIn: (folder: string) => boolean;
  /** Applies a text of a model; a title only if no person chose one. Throws for a deleted session. */
  describe: (session: string, text: { title?: string; summary?: string }) => void;
  log: (line: string) => void;
};

/** The turn after which the title is reviewed a last time. */
const LAST_REVIEW = 3;
const LONGEST_SUMMARY = 300;

/**
 * Requests better titles and summaries from the text helper when a turn ends. The result arrives later as a separate
 * event, or never. Runs in the background. A request that a restart interrupts is not repeated: the end of a turn is
 * committed once, and only that commit starts one.
 */
export class Titles {
  readonly #deps: TitlesDeps;

  constructor(deps: TitlesDeps) {
    this.#deps = deps;
  }

  /** Called for every commit. Returns at once; the work runs in the background. */
  committed(session: string, rows: readonly StoredEvent[]): void {
    if (!rows.some(({ type }) => type === "turn.ended") || !this.#deps.textHelper.available) return;
    setImmediate(() => void this.#improve(session).catch((error) => this.#deps.log(`${session}: ${error.message}`)));
  }

  async #improve(session: string): Promise<void> {
    const { store, config, isAllowedIn } = this.#deps;
    const view = store.sessions.get(session)?.view;
    if (!view || view.lastTurn?.outcome === "failed") return;
    const events = () => excerpt(store, session);
    await Promise.all([
      config.titles.model && needsTitle(view) && isAllowedIn(view.cwd) ? this.#title(view, events()) : undefined,
      config.summaries.model ? this.#summary(view, events()) : undefined,
    ]);
  }

  async #title({ id, title: before }: SessionView, events: Envelope[]): Promise<void> {
    const options = { session: id, maxChars: 200 };
    const answer = await this.#deps.textHelper.ask("title", titlePrompt(before, events), options);
    const title = answer && validTitle(answer);
    if (answer && !title) this.#deps.log(`text helper: discarded as a title of ${id}: ${JSON.stringify(answer)}`);
    if (title && title !== before && this.#deps.store.sessions.get(id)) this.#deps.describe(id, { title });
  }

  async #summary({ id, lastTurn }: SessionView, events: Envelope[]): Promise<void> {
    const options = { session: id, maxChars: 2 * LONGEST_SUMMARY };
    const answer = await this.#deps.textHelper.ask("summary", summaryPrompt(events), options);
    const summary = answer && validSummary(answer, LONGEST_SUMMARY);
    const now = this.#deps.store.sessions.get(id)?.view;
    // A later turn has ended, and its summary is newer.
    if (summary && now?.lastTurn?.id === lastTurn?.id) this.#deps.describe(id, { summary });
  }
}

/** At the end of the first turns, and again after the third. Never for a title that a person chose. */
function needsTitle({ titleBy, turns }: SessionView): boolean {
  if (titleBy === "prompt") return turns <= LAST_REVIEW;
  return titleBy === "model" && turns === LAST_REVIEW;
}

const BEGINNING = 200;
const END = 400;

/** The start and the end of a log, without the middle. */
function excerpt(store: Store, session: string): Envelope[] {
  const first = store.readEvents(session, 0, BEGINNING);
  const last = store.tailEvents(session, END).filter(({ seq }) => seq > (first.at(-1)?.seq ?? 0));
  return [...first, ...last].map(({ json }) => JSON.parse(json) as Envelope);
}

/** A model's summary in one line; `undefined` if it is empty or too long. */
function validSummary(text: string, longest: number): string | undefined {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  return line === "" || line.length > longest ? undefined : line;
}
