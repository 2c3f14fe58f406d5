import { firstLine, formatAge, shortId, stripControls } from "@gantry/terminal";
import { answerHints, renderInput } from "@gantry/terminal/transcript";
import { allSessions } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

/** Lists pending inputs, the oldest first, with their session and the commands that answer them. */
export default async function inbox(this: Context): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { inputs } = await client.call("inbox", {});
  if (output.json) return output.data({ inputs });
  if (inputs.length === 0) return output.print("No pending requests.");
  const sessions = await allSessions(client, { open: "1", archived: "all", identities: "all" });
  const now = Date.now();
  inputs.forEach((input, index) => {
    if (index > 0) output.print("");
    const session = sessions.find(({ id }) => id === input.session);
    const title = session ? firstLine(stripControls(session.title)) : "";
    const age = input.requestedAt && formatAge(input.requestedAt, now);
    output.print([[output.paint.bold(title), session?.agent, age].filter(Boolean).join(output.paint.dim(" · "))]);
    output.print(renderInput(input, { paint: output.paint, width: output.width?.() }, session?.cwd));
    output.print(output.paint.dim(`  session ${shortId(input.session)} · input ${shortId(input.id)}`));
    output.print(answerHints(input).map((hint) => `  ${output.paint.dim(hint)}`));
  });
}
