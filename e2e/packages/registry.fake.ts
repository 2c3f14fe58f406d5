import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Replaces the npm registry for the package `gantry`, which is not published. Requests for other packages are redirected to
 * `upstream`, the registry of this machine.
 */
export async function startFakeRegistry(upstream: string, tarball: string) {
  const content = readFileSync(tarball);
  const packed = execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" });
  const manifest = JSON.parse(packed) as { name: string; version: string };
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const server = createServer((request, response) => {
    if (request.url === "/gantry.tgz") return response.end(content);
    if (request.url !== "/gantry") {
      response.writeHead(302, { location: new URL(`.${request.url}`, upstream.replace(/\/?$/, "/")).href });
      return response.end();
    }
    const { name, version } = manifest;
    const versions = { [version]: { ...manifest, dist: { tarball: `${url}/gantry.tgz`, integrity } } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}
