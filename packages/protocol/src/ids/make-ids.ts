import { type IdKind, idPrefixes } from "./formats.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** The largest number that two characters hold. */
const MOST = 32 * 32 - 1;

/**
 * Creates time-ordered ids: `<prefix>_<10 characters of time><12 of randomness>`. `random` returns numbers in [0, 1).
 * Ids of one generator stay in order, also within a millisecond and when the clock is set back.
 */
export function makeIds(now: () => number, random: () => number): (kind: IdKind) => string {
  let last = 0;
  let counter = 0;
  return (kind) => {
    let time = Math.max(now(), last);
    counter = time === last ? counter + 1 : 0;
    if (counter > MOST) {
      time++;
      counter = 0;
    }
    last = time;
    let tail = base32(counter, 2);
    for (let i = 0; i < 10; i++) tail += ALPHABET[Math.floor(random() * 32)];
    return `${idPrefixes[kind]}_${base32(time, 10)}${tail}`;
  };
}

function base32(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
