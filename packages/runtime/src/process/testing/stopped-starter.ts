/**
 * A stand-in for the daemon that a test kills: stops its starter, sends it a request that creates a file, and prints the
 * starter's number. Argument: the file.
 */
import { readFileSync } from "node:fs";
import { findStarter } from "../starter/starter.ts";

const [file = ""] = process.argv.slice(2);
await findStarter()?.start({ command: ["/bin/sh", "-c", ":"], cwd: "/", env: {}, files: {} });
const starter = Number(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ")[0]);
process.kill(starter, "SIGSTOP");
void findStarter()
  ?.start({ command: ["/bin/sh", "-c", ":"], cwd: "/", env: {}, files: { [file]: "" } })
  .catch(() => undefined);
setTimeout(() => console.log(starter), 100);
setInterval(() => {}, 1000);
