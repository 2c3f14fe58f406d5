import { shortId } from "@gantry/terminal";
import { answerHints, renderInput } from "@gantry/terminal/transcript";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

/** Lists pending inputs with the commands that answer them. */
export default async function inbox(this: Context): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { inputs } = await client.call("inbox", {});
  if (output.json) return output.data({ inputs });
  if (inputs.length === 0) return output.print("No pending inputs.");
  inputs.forEach((input, index) => {
    if (index > 0) output.print("");
    output.print(renderInput(input, output.paint));
    output.print(output.paint.dim(`  session ${shortId(input.session)} · input ${shortId(input.id)}`));
    output.print(answerHints(input).map((hint) => `  ${output.paint.dim(hint)}`));
  });
}
