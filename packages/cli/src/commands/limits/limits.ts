import type { Client } from "@gantry/client";
import { GantryError } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { limitLine } from "./render.ts";

type NoFlags = Record<never, never>;

/** The active limits and the sessions that wait for them. */
export async function list(this: Context, _flags: NoFlags): Promise<void> {
  const { output } = this;
  const limits = await (await connect(this)).limits.list();
  if (output.json) return output.data({ limits });
  if (limits.length === 0) return output.print("No limit is active.");
  output.print(
    limits.flatMap((limit) => [
      `${output.paint.bold(limit.id)}  ${limitLine(limit)}`,
      ...(limit.text ? [output.paint.dim(`  ${limit.text}`)] : []),
      ...(limit.sessions.length > 0 ? [output.paint.dim(`  ${limit.sessions.map(shortId).join(" ")}`)] : []),
    ]),
  );
}

/** Retries a limit, or resumes one session, now. */
export async function resume(this: Context, flags: { all: boolean }, name?: string): Promise<void> {
  const { output } = this;
  if (flags.all && name !== undefined) throw usageError("--all retries every limit: name none.");
  const client = await connect(this);
  if (flags.all) return resumeAll.call(this, client);
  const found = await find(client, name);
  if ("session" in found) {
    const session = await client.limits.resumeSession(found.session);
    return output.json ? output.data(session) : output.print(`${shortId(session.id)} is ${session.state}`);
  }
  const answer = await client.limits.resume(found.limit);
  if (output.json) return output.data(answer);
  output.print(answer.tried ? `${shortId(answer.tried)} retries; the others follow` : "No session waits for it.");
}

async function resumeAll(this: Context, client: Client): Promise<void> {
  const { output } = this;
  const limits = (await client.limits.list()).filter(({ source }) => source !== "budget");
  const answers = [];
  for (const { id } of limits) answers.push({ limit: id, tried: (await client.limits.resume(id)).tried });
  if (output.json) return output.data({ resumed: answers });
  if (answers.length === 0) return output.print("No limit is active.");
  output.print(
    answers.map(({ limit, tried }) => `${limit}: ${tried ? `${shortId(tried)} retries` : "no session held"}`),
  );
}

/** Sessions stay on hold after the limit until `gantry limits resume`. */
export async function off(this: Context, _flags: NoFlags, name?: string): Promise<void> {
  await setAutoResume.call(this, name, false);
}

export async function on(this: Context, _flags: NoFlags, name?: string): Promise<void> {
  await setAutoResume.call(this, name, true);
}

async function setAutoResume(this: Context, name: string | undefined, autoResume: boolean): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const effect = autoResume ? "resumes automatically" : "stays on hold until `gantry limits resume`";
  const found = name === undefined ? undefined : await find(client, name);
  if (!found) await client.settings.change({ "limits.autoResume": autoResume });
  else if ("session" in found) await client.sessions.patch(found.session, { autoResume });
  else await client.limits.patch(found.limit, { autoResume });
  const what = found ? ("session" in found ? shortId(found.session) : found.limit) : "every session";
  if (output.json) return output.data({ ...found, autoResume });
  output.print(`${what} ${effect}`);
}

/** A limit by its id or the provider's name, or a session; the only limit there is when nothing is named. */
async function find(client: Client, name: string | undefined): Promise<{ limit: string } | { session: string }> {
  const limits = await client.limits.list();
  const fitting = limits.filter(({ id, provider }) => name === undefined || id === name || provider === name);
  const [only, second] = fitting;
  if (only && !second) return { limit: only.id };
  if (name !== undefined && !second) return { session: (await resolveSession(client, name)).id };
  const remedy = second ? `Name one of ${fitting.map(({ id }) => id).join(", ")}.` : undefined;
  throw new GantryError("no_such_limit", second ? "There are several limits." : "No limit is active.", { remedy });
}
