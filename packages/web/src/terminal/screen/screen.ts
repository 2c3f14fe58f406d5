import "@xterm/xterm/css/xterm.css";
import { GantryError, type TerminalExit } from "@gantry/protocol";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { client } from "../../store/connection/client.ts";
import { preferences } from "../../store/preferences.ts";
import { toastError } from "../../store/toasts.ts";
import { firstUnanswered, markAnswered } from "./answered-offsets.ts";
import { InputSender } from "./input-sender.ts";
import { keyFor } from "./keys.ts";
import { styledDocument } from "./styled-document.ts";
import { currentTheme } from "./theme.ts";

export type ScreenEnd = { exit: TerminalExit } | { error: unknown };
export type ScreenOptions = {
  id: string;
  host: HTMLElement;
  /** Whether its program has already ended. */
  ended: boolean;
  onEnd: (end: ScreenEnd) => void;
  /** Called when the user leaves the terminal by keyboard. */
  onLeave: () => void;
};

const RESIZE_MS = 100;
const HIDE_CURSOR = "\x1b[?25l";
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Shows a terminal of the daemon. The caller must call `dispose`. The program keeps running after that. */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #ending = new AbortController();
  readonly #watcher: ResizeObserver;
  #resizing: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #resizeInFlight = false;
  /** True while old output is rendered again, whose queries have already been answered. */
  #silent = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    const { host } = options;
    this.#ended = options.ended;
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
    const input = new InputSender((text) => client.terminals.type(id, text), toastError);
    const type = (text: string) => {
      if (!this.#silent && !this.#ended) input.type(text);
    };
    this.#terminal.onData(type);
    this.#terminal.onBinary(type);
    this.#terminal.onResize(() => void this.#sendSize());
    const applyTheme = () => {
      this.#terminal.options.theme = currentTheme(host);
    };
    DARK.addEventListener("change", applyTheme, { signal });
    signal.addEventListener("abort", preferences.subscribe(applyTheme));
  }

  async #follow(): Promise<void> {
    const { id } = this.#options;
    const { signal } = this.#ending;
    void this.#sendSize();
    try {
      for await (const frame of client.terminals.follow(id, { signal })) {
        if (signal.aborted) return;
        if ("output" in frame) await this.#draw(frame.output, frame.offset);
        else if ("exit" in frame) this.#end({ exit: frame.exit });
        else this.#terminal.write("\r\n\x1b[2m… older output was discarded …\x1b[0m\r\n");
      }
    } catch (error) {
      if (!signal.aborted) this.#end({ error });
    }
  }

  async #draw(output: Uint8Array, offset: number): Promise<void> {
    const { id } = this.#options;
    this.#silent = offset < firstUnanswered(id);
    await new Promise<void>((resolve) => this.#terminal.write(output, resolve));
    this.#silent = false;
    markAnswered(id, offset + output.length);
  }

  #end(end: ScreenEnd): void {
    this.#ended = true;
    this.#terminal.options.disableStdin = true;
    this.#terminal.write(HIDE_CURSOR);
    this.#options.onEnd(end);
  }

  #onKey(event: KeyboardEvent): boolean {
    const key = keyFor(event);
    if (key === undefined) return true;
    // The browser's default action pastes.
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

  /** Sends the size, one call at a time, until the last sent size is the current one. */
  async #sendSize(): Promise<void> {
    if (this.#resizeInFlight) return;
    this.#resizeInFlight = true;
    try {
      for (let sentSize = ""; !this.#ended && sentSize !== this.#size(); ) {
        const { cols, rows } = this.#terminal;
        sentSize = this.#size();
        await client.terminals.resize(this.#options.id, cols, rows);
      }
    } catch (error) {
      // An ended terminal has no size, and a missing one is reported by `follow`.
      if (!(error instanceof GantryError)) throw error;
    } finally {
      this.#resizeInFlight = false;
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
