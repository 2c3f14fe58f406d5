import type { Envelope, SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Store, StoredEvent } from "../log/port.ts";
import type { Scribe } from "../scribe/port.ts";
import { summaryPrompt, titlePrompt } from "./prompts.ts";
import { validSummary } from "./valid-summary.ts";
import { validTitle } from "./valid-title.ts";

export type TitlesDeps = {
  config: Config;
  scribe: Scribe;
  store: Store;
  /** Takes what a model wrote, a title only while no person has given one. Throws for a session that is gone. */
  describe: (session: string, words: { title?: string; summary?: string }) => void;
  log: (line: string) => void;
};

/** After this turn there is enough to be said of a session that its title is looked at once more, and then left. */
const SETTLED = 3;
const LONGEST_SUMMARY = 300;
const ENDED = '"type":"turn.ended"';
/** The type stands near the beginning of an event, whatever it holds. */
const HEAD = 400;

/**
 * Asks the scribe for better titles and summaries when a turn has ended. What it says comes later, as an event of its
 * own, or never; nobody waits for it, and nothing of it is kept over a restart.
 */
export class Titles {
  readonly #deps: TitlesDeps;

  constructor(deps: TitlesDeps) {
    this.#deps = deps;
  }

  /** To be told of every commit; does nothing at once. */
  committed(session: string, rows: readonly StoredEvent[]): void {
    if (!this.#deps.scribe.available || !rows.some(isTurnEnd)) return;
    setImmediate(() => void this.#improve(session).catch((error) => this.#deps.log(`${session}: ${error.message}`)));
  }

  async #improve(session: string): Promise<void> {
    const { store, config } = this.#deps;
    const view = store.sessions.get(session)?.view;
    if (!view || view.lastTurn?.outcome === "failed") return;
    const events = () => excerpt(store, session);
    await Promise.all([
      config.titles.model && wantsTitle(view) ? this.#title(view, events()) : undefined,
      config.summaries.model ? this.#summary(view, events()) : undefined,
    ]);
  }

  async #title({ id, title: before }: SessionView, events: Envelope[]): Promise<void> {
    const options = { session: id, maxChars: 200 };
    const answer = await this.#deps.scribe.ask("title", titlePrompt(before, events), options);
    const title = answer && validTitle(answer);
    if (answer && !title) this.#deps.log(`scribe: thrown away as a title of ${id}: ${JSON.stringify(answer)}`);
    if (title && title !== before && this.#deps.store.sessions.get(id)) this.#deps.describe(id, { title });
  }

  async #summary({ id, lastTurn }: SessionView, events: Envelope[]): Promise<void> {
    const options = { session: id, maxChars: 2 * LONGEST_SUMMARY };
    const answer = await this.#deps.scribe.ask("summary", summaryPrompt(events), options);
    const summary = answer && validSummary(answer, LONGEST_SUMMARY);
    const now = this.#deps.store.sessions.get(id)?.view;
    // Another turn has ended meanwhile, and its summary is the newer one.
    if (summary && now?.lastTurn?.id === lastTurn?.id) this.#deps.describe(id, { summary });
  }
}

/** At the end of the first turn and once more later; of a title that a person or nobody knows gave, never. */
function wantsTitle({ titleBy, turns }: SessionView): boolean {
  if (titleBy === "prompt") return turns <= SETTLED;
  return titleBy === "model" && turns === SETTLED;
}

function isTurnEnd({ json }: StoredEvent): boolean {
  return json.slice(0, HEAD).includes(ENDED);
}

const BEGINNING = 200;
const END = 400;

/** The beginning and the end of a log; what lies between is left out. */
function excerpt(store: Store, session: string): Envelope[] {
  const first = store.readEvents(session, 0, BEGINNING);
  const last = store.tailEvents(session, END).filter(({ seq }) => seq > (first.at(-1)?.seq ?? 0));
  return [...first, ...last].map(({ json }) => JSON.parse(json) as Envelope);
}
