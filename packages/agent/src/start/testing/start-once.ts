import { classify } from "../../permissions/bash/classify.ts";
import { findProjectCode } from "../project/project-code.ts";
import { startAgent } from "../start-agent.ts";

/** Starts the agent in a folder, as a separate process: a read that blocks would stop the tests. Prints what it found. */
const [home = "", cwd = "", agentDir = ""] = process.argv.slice(2);
const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir };
const { problems, session } = await startAgent({ env, home, cwd, model: "scripted/plain", mode: "plan" });
await findProjectCode({ cwd, folders: [], home, agentDir, gantryHome: home, path: env.PATH ?? "" });
classify("git status && cat AGENTS.md", { cwd, folders: [], env });
const prompt = session.systemPrompt().join("\n");
const printed = JSON.stringify({ problems, prompt, memory: process.memoryUsage().rss });
await session.dispose();
process.stdout.write(printed, () => process.exit(0));
