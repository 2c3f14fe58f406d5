/**
 * A stand-in for the daemon that a test kills: starts one agent, prints its ids, and keeps running.
 * Arguments: the spool folder, the process id, and the agent's shell script.
 */
import { launch } from "../launcher.ts";

const [dir = "", id = "", code = ""] = process.argv.slice(2);
const env = { PATH: process.env.PATH ?? "" };
const result = await launch({ id, dir, bin: "/bin/sh", args: ["-c", code], cwd: dir, env, stdin: "fifo" });
console.log(JSON.stringify(result));
setInterval(() => {}, 1000);
