import { createClient } from "@gantry/client";
import { discover } from "@gantry/client/node";
import { homedir } from "node:os";
import { join } from "node:path";

const home = process.env.GANTRY_HOME ?? join(homedir(), ".gantry");
const client = createClient({ resolve: () => discover(home) });

const { version } = await client.health();
const agents = await client.agents.list();
console.log(version, agents.map((agent) => `${agent.name}: ${agent.state}`));
