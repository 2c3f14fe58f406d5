/** Phrases that hide the actor or avoid the field's standard term, with what to write instead. `npm run check` rejects them. */
export const PHRASES: readonly (readonly [pattern: string, instead: string])[] = [
  ["told|tells?|telling", "notify, publish, send, report, log"],
  ["hears?|heard", "receive, read"],
  ["says?|said", "report, state, print, return"],
  ["nobody|whoever|who", "the caller, the client, no subscriber, any process"],
  ["anew|once more", "again, retry, re-read"],
  ["go(?:es)? on|going on|gone on|went on", "continue"],
  ["takes? up|taken up|took up", "resume"],
  ["beside", "next to, alongside"],
  ["of (?:its|their|our|your|his|her) own", "separate, dedicated, own"],
  ["kept|put away|lets? go of", "stored, archived, released"],
  ["(?:is|are|was) over|has come through", "has ended, succeeded"],
  ["what is (?:wanted|meant|known)", "the request, the match, the known models"],
  ["words|standing words", "text, instructions, pinned context"],
  ["mends?|mended|mending|makes? well", "fix, repair, re-enable"],
  ["as it is", "unchanged"],
  ["says? so", "report it"],
  ["to be had", "available"],
];

/** Parts of identifiers (`toldStanding`, `lastWords`) that are never a good name. */
export const NAME_PARTS = ["told", "said", "kept", "heard", "words", "mended"] as const;

/** Fixed names and text that documents must quote: config keys, JSON fields, scenario markers, the text of a queued message. */
export const FIXED = [
  "`spawns.tell",
  "  tell: false",
  "{ interrupted, kept }",
  "kept.length",
  "[[say:",
  "firstKeptEntryId",
  "firstKeptEntryIndex",
  '"Go on."',
] as const;
