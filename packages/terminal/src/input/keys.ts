/** A key press: a chord such as `ctrl+p`, or typed or pasted text. */
export type Key = { chord: string } | { text: string };

const NAMED: Record<string, string> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "ctrl+backspace",
  "\x1b": "esc",
  "\x00": "ctrl+space",
  "\x1f": "ctrl+-",
};
const LETTERS: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift+tab",
};
const NUMBERS: Record<string, string> = { "1": "home", "3": "delete", "4": "end", "5": "pageup", "6": "pagedown" };
const CODES: Record<number, string> = { 9: "tab", 13: "enter", 27: "esc", 32: "space", 127: "backspace" };
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/**
 * Decodes keys from terminal input. Sequences may be split anywhere: `read` holds incomplete ones back. A lone escape
 * counts as the key if nothing follows in the same chunk.
 */
export class KeyReader {
  #rest = "";
  #pasted: string | undefined;

  read(input: string): Key[] {
    const keys: Key[] = [];
    let text = this.#rest + input;
    this.#rest = "";
    while (text !== "") {
      if (this.#pasted !== undefined) {
        const end = text.indexOf(PASTE_END);
        this.#pasted += end < 0 ? text : text.slice(0, end);
        if (end < 0) return keys;
        keys.push({ text: this.#pasted.replace(/\r\n?/g, "\n") });
        this.#pasted = undefined;
        text = text.slice(end + PASTE_END.length);
        continue;
      }
      if (text.startsWith(PASTE_START)) {
        this.#pasted = "";
        text = text.slice(PASTE_START.length);
        continue;
      }
      const taken = this.#take(text, keys);
      if (taken === 0) {
        this.#rest = text;
        return keys;
      }
      text = text.slice(taken);
    }
    return keys;
  }

  /** Returns the number of characters of one key; 0 if the sequence is incomplete. */
  #take(text: string, keys: Key[]): number {
    const sequence = /^\x1b(?:\[|O)([0-9;:]*)([A-Za-z~])/.exec(text);
    if (sequence) {
      const chord = chordOf(sequence[1] ?? "", sequence[2] ?? "");
      if (chord) keys.push({ chord });
      return sequence[0].length;
    }
    if (/^\x1b(?:\[|O)[0-9;:]*$/.test(text) && text.length > 2) return 0;
    const [first = "", second] = text;
    if (first === "\x1b" && second !== undefined && second !== "\x1b") {
      const inner: Key[] = [];
      const length = this.#take(text.slice(1), inner);
      for (const key of inner) keys.push({ chord: `alt+${"chord" in key ? key.chord : key.text.toLowerCase()}` });
      return length + 1;
    }
    const named = NAMED[first];
    if (named) keys.push({ chord: named });
    else if (first < " ") keys.push({ chord: `ctrl+${String.fromCharCode(first.charCodeAt(0) + 96)}` });
    else {
      const plain = /^[^\x00-\x1f\x7f]+/.exec(text)?.[0] ?? first;
      keys.push({ text: plain });
      return plain.length;
    }
    return 1;
  }
}

function chordOf(parameters: string, final: string): string | undefined {
  const [first = "", modifier = "1"] = parameters.split(";");
  const code = Number.parseInt(first, 10);
  const name =
    final === "u" ? (CODES[code] ?? String.fromCodePoint(code || 0)) : final === "~" ? NUMBERS[first] : LETTERS[final];
  if (name === undefined) return undefined;
  const bits = (Number.parseInt(modifier, 10) || 1) - 1;
  const mods = [bits & 4 && "ctrl", bits & 2 && "alt", bits & 1 && "shift"].filter(Boolean);
  return [...mods, name].join("+");
}

/** The normal form of a chord: lower case, modifiers in order. */
export function normalizeChord(chord: string): string {
  const parts = chord.toLowerCase().trim().split("+");
  // In `ctrl++` the key is the plus itself.
  const name = parts.pop() || "+";
  const mods = ["ctrl", "alt", "shift"].filter((mod) => parts.includes(mod));
  return [...mods, name === "escape" ? "esc" : name === "return" ? "enter" : name].join("+");
}
