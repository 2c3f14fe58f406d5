import { openComments } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { EngineBench } from "../testing/engine.fake.ts";

const comment = (id: string, more = {}) => ({
  type: "comment.added" as const,
  data: {
    comment: `cmt_${id}`,
    path: "src/a.ts",
    line: 3,
    side: "new" as const,
    text: `Why ${id}?`,
    quote: "let a;",
    ...more,
  },
});
const message = (text: string, author = "user", delivery: "auto" | "queue" = "auto") => ({
  message: { id: `msg_${text.replace(/\W/g, "")}`, text, attachments: [], delivery, author },
});
const withComments = () => {
  const bench = new EngineBench();
  bench.apply("recordEvents", [comment("a"), comment("b", { line: 5, endLine: 7, side: "old" })]);
  return bench;
};
const states = ({ view }: EngineBench) => view.comments?.map(({ state }) => state);

describe("comments on the changes", () => {
  it("go to the agent with the next message, each with its file, lines and text", () => {
    const bench = withComments();
    bench.apply("send", message("Fix it"));
    expect(states(bench)).toEqual(["sent", "sent"]);
    const text = [
      "Fix it\n\nComments on the changes:",
      "`src/a.ts`, line 3:\n\n> let a;\n\nWhy a?",
      "`src/a.ts`, lines 5–7 before the changes:\n\n> let a;\n\nWhy b?",
    ].join("\n\n");
    expect(bench.commands).toMatchObject([{ type: "prompt", text }]);
    bench.apply("send", message("More", "user", "queue"));
    expect(bench.view.queue).toMatchObject([{ text: "More" }]);
  });

  it("wait for the next message of a person", () => {
    const bench = withComments();
    bench.apply("send", message("/compact"));
    bench.apply("send", message("Wake up", "schedule:sch_1", "queue"));
    expect(states(bench)).toEqual(["open", "open"]);
    expect(bench.view.queue).toMatchObject([{ text: "Wake up" }]);
  });

  it("are open again when the message that took them along is cancelled", () => {
    const bench = withComments();
    bench.apply("send", message("/compact"));
    bench.apply("send", message("Later", "user", "queue"));
    expect(states(bench)).toEqual(["sent", "sent"]);
    bench.apply("cancelMessage", "msg_Later");
    expect(openComments(bench.view).map(({ message }) => message)).toEqual([undefined, undefined]);
  });

  it("do not change when a message is refused", () => {
    const bench = new EngineBench({ queueLimit: 0 });
    bench.apply("recordEvents", [comment("a")]);
    bench.apply("send", message("/compact"));
    expect(() => bench.apply("send", message("Next", "user", "queue"))).toThrow(/is full/);
    expect(states(bench)).toEqual(["open"]);
  });
});
