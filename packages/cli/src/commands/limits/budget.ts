import { formatDollars, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

/** Shows or sets budgets: per day, for every session, or for one session. */
export default async function budget(this: Context, _flags: object, what?: string, most?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (what === undefined) {
    const { values } = await client.settings.get();
    const [dayUsd, sessionUsd] = [values["budgets.dayUsd"], values["budgets.sessionUsd"]];
    if (output.json) return output.data({ dayUsd: dayUsd ?? null, sessionUsd: sessionUsd ?? null });
    const describeBudget = (usd: unknown) => (usd === undefined ? "no budget" : `$${usd}`);
    return output.print([`a day      ${describeBudget(dayUsd)}`, `a session  ${describeBudget(sessionUsd)}`]);
  }
  const usd = most === undefined ? undefined : amountOf(most);
  if (what === "day" || what === "session") {
    if (usd === undefined) throw usageError("Give an amount in dollars, or none.");
    const { settings } = await client.settings.change({ [`budgets.${what}Usd`]: usd });
    if (output.json) return output.data({ [`${what}Usd`]: settings.values[`budgets.${what}Usd`] ?? null });
    return output.print(usd === null ? `a ${what} has no budget` : `a ${what} may cost $${usd}`);
  }
  const session = await resolveSession(client, what);
  const { session: now } =
    usd === undefined
      ? { session }
      : await client.sessions.patch(session.id, { budget: usd === null ? null : { usd } });
  if (output.json) return output.data({ session: now.id, budget: now.budget ?? null, cost: now.cost ?? null });
  const spent = now.cost ? `, has cost ${formatDollars(now.cost)}` : "";
  output.print(`${shortId(now.id)} ${now.budget ? `may cost $${now.budget.usd}` : "has no session budget"}${spent}`);
}

function amountOf(text: string): number | null {
  if (text === "none") return null;
  const usd = Number(text.replace(/^\$/, ""));
  if (!(usd > 0)) throw usageError(`${text} is not an amount in dollars.`);
  return usd;
}
