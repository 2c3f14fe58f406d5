import { describeError, writeLine } from "./lines.ts";
import { type AgentInfo, CLOUD, type Sdk } from "./sdk.ts";

const ANSWER_MS = 15_000;
const LISTED = 50;

/** Writes the version, the login and the models. */
export async function probe(sdk: Sdk, version: string): Promise<void> {
  const login = await findLogin(sdk);
  if (!login) return writeLine({ type: "facts", version, login: null });
  try {
    const [me, models] = await withDeadline(Promise.all([sdk.Cursor.me(), sdk.Cursor.models.list()]));
    writeLine({ type: "facts", version, login, account: me.userEmail ?? me.apiKeyName, models });
  } catch (error) {
    writeLine({ type: "facts", version, login, error: describeError(error) });
  }
}

/** Where the key comes from; never the key itself. */
async function findLogin(sdk: Sdk): Promise<string | undefined> {
  if (process.env.CURSOR_API_KEY) return "CURSOR_API_KEY";
  const status = await sdk.Cursor.auth?.status().catch(() => undefined);
  return status?.status === "logged-in" ? "login" : undefined;
}

/** Writes the local conversations of a folder, or of this one, and with a key the agents in Cursor's cloud. */
export async function listConversations(sdk: Sdk, cwd?: string): Promise<void> {
  const local = await sdk.Agent.list({ runtime: "local", limit: LISTED, ...(cwd ? { cwd } : {}) });
  const cloud = (await findLogin(sdk)) ? await listCloud(sdk) : { items: [] };
  writeLine({
    type: "conversations",
    items: [...local.items, ...cloud.items].map(describeAgent),
    complete: local.nextCursor === undefined && !("nextCursor" in cloud && cloud.nextCursor),
    ...("error" in cloud ? { error: cloud.error } : {}),
  });
}

/** A failure leaves the local conversations listed. */
async function listCloud(sdk: Sdk) {
  try {
    return await withDeadline(sdk.Agent.list({ runtime: "cloud", limit: LISTED }));
  } catch (error) {
    return { items: [], error: describeError(error) };
  }
}

function describeAgent({
  agentId,
  name,
  summary,
  lastModified,
  status,
  cwd,
  repos,
}: AgentInfo): Record<string, unknown> {
  const cloud = agentId.startsWith(CLOUD);
  return { id: agentId, title: name || summary, updatedAt: lastModified, status, cwd, repos, cloud };
}

/** The SDK opens the browser, or the user opens the printed address. */
export async function logIn(sdk: Sdk): Promise<void> {
  if (!sdk.Cursor.auth) throw new Error("This version of the SDK has no login. Set CURSOR_API_KEY instead.");
  const onLoginUrl = (url: string) => void process.stderr.write(`Open this address to log in:\n${url}\n`);
  const { email } = await sdk.Cursor.auth.login({ onLoginUrl });
  process.stderr.write(`Logged in${email ? ` as ${email}` : ""}.\n`);
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Cursor's service did not respond in time.")), ANSWER_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
