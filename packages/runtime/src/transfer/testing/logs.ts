import fc from "fast-check";

/** Texts that are hard to keep: quotes, line ends of all kinds, halves of characters, what looks like a session's id. */
const word = fc.oneof(
  fc.string({ maxLength: 30, unit: "binary" }),
  fc.constantFrom('"ses_one"', "ses_one", '\\"ses_one\\"', "\u2028\u2029", "</script>", "\\u0000", "é\n\t", "\ud800"),
);
const item = fc.constantFrom("itm_1", "itm_2");

/** Events of a log, as they come from agents good and bad: closed or not, in any order. */
export const someDrafts = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant("notice"),
      data: fc.record({ kind: word, severity: fc.constant("info"), text: word }),
    }),
    fc.record({ type: fc.constant("raw"), data: fc.record({ channel: word, frame: fc.jsonValue({ maxDepth: 4 }) }) }),
    fc.record({ type: fc.constant("message.done"), data: fc.record({ item, text: word }) }),
    fc.record({ type: fc.constant("context.usage"), data: fc.record({ used: fc.nat() }) }),
    fc.record({
      type: fc.constant("turn.started"),
      turn: fc.constant("trn_1"),
      data: fc.constant({ trigger: "user", messages: [] }),
    }),
    fc.record({
      type: fc.constant("turn.ended"),
      turn: fc.constant("trn_1"),
      data: fc.constant({ outcome: "completed" }),
    }),
    fc.record({
      type: fc.constant("tool.started"),
      data: fc.record({
        item,
        name: word,
        kind: fc.constant("execute"),
        title: word,
        input: fc.jsonValue({ maxDepth: 2 }),
      }),
    }),
    fc.record({
      type: fc.constant("tool.ended"),
      data: fc.record({ item, status: fc.constant("ok"), output: fc.nat({ max: 90_000 }).map(longText) }),
    }),
  ),
  { maxLength: 25 },
);

/** Longer ones leave the event and become blobs. */
function longText(length: number): string {
  return `${length} é😀`.repeat(Math.ceil(length / 6)).slice(0, length);
}
