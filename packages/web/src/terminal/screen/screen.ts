import "@xterm/xterm/css/xterm.css";
import { GantryError, type TerminalExit } from "@gantry/protocol";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { client } from "../../store/connection/client.ts";
import { preferences } from "../../store/preferences.ts";
import { toastError } from "../../store/toasts.ts";
import { answered, answerFrom } from "./answered.ts";
import { keyFor } from "./keys.ts";
import { styledDocument } from "./styled-document.ts";
import { currentTheme } from "./theme.ts";
import { Typist } from "./typist.ts";

export type ScreenEnd = { exit: TerminalExit } | { error: unknown };
export type ScreenOptions = {
  id: string;
  host: HTMLElement;
  /** Has its program ended already? */
  ended: boolean;
  onEnd: (end: ScreenEnd) => void;
  /** The person wants to leave the terminal by keyboard. */
  onLeave: () => void;
};

const RESIZE_MS = 100;
const HIDE_CURSOR = "\x1b[?25l";
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** A terminal of the daemon on the page, from `new` to `dispose`. The program in it outlives both. */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #ending = new AbortController();
  readonly #watcher: ResizeObserver;
  #resizing: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  #telling = false;
  /** While old output is drawn again, what it asked the terminal has been answered already. */
  #silent = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    const { host } = options;
    this.#over = options.ended;
    this.#terminal = makeTerminal(host);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.open(host);
    this.#terminal.attachCustomKeyEventHandler((event) => this.#onKey(event));
    this.#listen();
    this.#watcher = new ResizeObserver(() => this.#resizeSoon());
    this.#watcher.observe(host);
    this.#fit.fit();
    void this.#follow();
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#ending.abort();
    this.#watcher.disconnect();
    clearTimeout(this.#resizing);
    this.#terminal.dispose();
  }

  #listen(): void {
    const { id, host } = this.#options;
    const { signal } = this.#ending;
    const typist = new Typist((text) => client.terminals.type(id, text), toastError);
    const type = (text: string) => {
      if (!this.#silent && !this.#over) typist.type(text);
    };
    this.#terminal.onData(type);
    this.#terminal.onBinary(type);
    this.#terminal.onResize(() => void this.#tellSize());
    const recolour = () => {
      this.#terminal.options.theme = currentTheme(host);
    };
    DARK.addEventListener("change", recolour, { signal });
    signal.addEventListener("abort", preferences.subscribe(recolour));
  }

  async #follow(): Promise<void> {
    const { id } = this.#options;
    const { signal } = this.#ending;
    void this.#tellSize();
    try {
      for await (const frame of client.terminals.follow(id, { signal })) {
        if (signal.aborted) return;
        if ("output" in frame) await this.#draw(frame.output, frame.offset);
        else if ("exit" in frame) this.#end({ exit: frame.exit });
        else this.#terminal.write("\r\n\x1b[2m… older output is no longer kept …\x1b[0m\r\n");
      }
    } catch (error) {
      if (!signal.aborted) this.#end({ error });
    }
  }

  async #draw(output: Uint8Array, offset: number): Promise<void> {
    const { id } = this.#options;
    this.#silent = offset < answerFrom(id);
    await new Promise<void>((resolve) => this.#terminal.write(output, resolve));
    this.#silent = false;
    answered(id, offset + output.length);
  }

  #end(end: ScreenEnd): void {
    this.#over = true;
    this.#terminal.options.disableStdin = true;
    this.#terminal.write(HIDE_CURSOR);
    this.#options.onEnd(end);
  }

  #onKey(event: KeyboardEvent): boolean {
    const key = keyFor(event);
    if (key === undefined) return true;
    // The browser pastes by itself when it is left alone.
    if (event.type !== "keydown" || key === "page" || key === "paste") return false;
    event.preventDefault();
    if (key === "leave") this.#options.onLeave();
    else void navigator.clipboard.writeText(this.#terminal.getSelection()).catch(toastError);
    return false;
  }

  #resizeSoon(): void {
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => this.#fit.fit(), RESIZE_MS);
  }

  /** One call at a time, and then another when the size has changed meanwhile: the last size is the last one told. */
  async #tellSize(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let told = ""; !this.#over && told !== this.#size(); ) {
        const { cols, rows } = this.#terminal;
        told = this.#size();
        await client.terminals.resize(this.#options.id, cols, rows);
      }
    } catch (error) {
      // One that has ended meanwhile has no size, and one that is gone says so when it is followed.
      if (!(error instanceof GantryError)) throw error;
    } finally {
      this.#telling = false;
    }
  }

  #size(): string {
    return `${this.#terminal.cols}x${this.#terminal.rows}`;
  }
}

function makeTerminal(host: HTMLElement): Terminal {
  return new Terminal({
    documentOverride: styledDocument,
    theme: currentTheme(host),
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: 12,
    lineHeight: 1.2,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    minimumContrastRatio: 4.5,
    scrollback: 5000,
    screenReaderMode: true,
  });
}
