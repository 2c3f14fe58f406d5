import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { sendRaw, writeRequest } from "../request.ts";

/** Other spellings of the path of a private call. A guard that compares another spelling than the router lets one through. */
const SPELLINGS: Record<string, (path: string, url: string) => string> = {
  "the first letter escaped": (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  "every letter escaped": (path) => path.replace(/[a-z0-9]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  "escaped twice": (path) => path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
  "a second slash in front": (path) => `/${path}`,
  "a dot segment": (path) => `/.${path}`,
  "a parent segment": (path) => `/x/..${path}`,
  "an escaped parent segment": (path) => `/x/%2e%2e${path}`,
  "a public call as parent": (path) => `/v1/health/..${path}`,
  "a public call with an escaped slash": (path) => `/v1/health%2f..${path}`,
  "a path parameter": (path) => `${path};x=1`,
  "a backslash": (path) => path.replaceAll("/", "\\"),
  "upper case": (path) => path.toUpperCase(),
  "a trailing slash": (path) => path.replace(/(\?|$)/, "/$1"),
  "a trailing dot": (path) => path.replace(/(\?|$)/, ".$1"),
  "a NUL": (path) => path.replace(/(\?|$)/, "%00$1"),
  "a fragment": (path) => `/v1/health#${path}`,
  "an absolute target": (path, url) => `${url}${path}`,
  "an absolute target of another host": (path) => `http://evil.example${path}`,
  "a file extension": (path) => path.replace(/(\?|$)/, ".css$1"),
  "an overlong slash": (path) => path.replace(/\/(?=[^/]*$)/, "%c0%af"),
};

const ASCENTS = [
  "../",
  "..%2f",
  "%2e%2e/",
  "%2e%2e%2f",
  "..%5c",
  "%252e%252e%252f",
  "....//",
  "..;/",
  "%c0%ae%c0%ae/",
  "..\\",
];

export const pathAttacks: NetworkAttack[] = [
  ...Object.entries(SPELLINGS).map(([name, spell]) => ({
    name: `the path of a private call with ${name}`,
    class: "path spelling",
    run: (server: LocalServer) => readPath(server, spell(server.reading.path, server.url)),
  })),
  ...ASCENTS.flatMap((ascent) =>
    ["/", "/assets/"].map((start) => ({
      name: `a file through ${start}${ascent}`,
      class: "path traversal",
      run: (server: LocalServer) => readFile(server, start, ascent),
    })),
  ),
];

async function readPath(server: LocalServer, path: string) {
  const { body } = await sendRaw(
    server.url,
    writeRequest(server.url, { method: "GET", path }, { host: hostOf(server) }),
  );
  return body.includes(server.secret) ? effect("read private data") : HELD;
}

async function readFile(server: LocalServer, start: string, ascent: string) {
  for (const file of ["etc/passwd", "proc/self/environ"]) {
    const path = `${start}${ascent.repeat(12)}${file}`;
    const { body } = await sendRaw(server.url, writeRequest(server.url, { method: "GET", path }));
    if (/^root:.*:0:0:/m.test(body) || body.includes("\0HOME=")) return effect(`read /${file}`);
  }
  return HELD;
}

function hostOf({ url }: LocalServer): string {
  return new URL(url).host;
}
