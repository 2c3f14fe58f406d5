import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "./bash/classify.ts";
import { credentialPaths, HOME_CREDENTIALS, isCredential, isSecretPath, MACHINE_CREDENTIALS } from "./credentials.ts";
import { decide, PERMISSION_MODES } from "./decide.ts";

const home = "/data/me";
const env = { HOME: home };
const place = { cwd: `${home}/app`, folders: [], env };
const verdicts = (path: string, where = place, kind: "file.read" | "file.write" = "file.read") =>
  PERMISSION_MODES.map((mode) => decide(mode, [{ kind, path }], where, [], { person: true }).verdict).join(" ");

describe("the credential list", () => {
  it("is asked about in every mode, in every home folder, at every depth", () => {
    const listed = fc.constantFrom(...HOME_CREDENTIALS);
    const homes = fc.constantFrom(home, "/root", "/home/other", "/Users/other");
    const rest = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 3 });
    fc.assert(
      fc.property(listed, homes, rest, (name, folder, inner) => {
        const path = join(folder, name, ...inner);
        expect(verdicts(path), path).toBe("ask ask ask ask");
        expect(isSecretPath(path), path).toBe(true);
      }),
    );
    for (const path of MACHINE_CREDENTIALS) expect(verdicts(path), path).toBe("ask ask ask ask");
  });

  it("applies although the session works in the home folder around it", () => {
    const around = { cwd: home, folders: [], env };
    expect(verdicts(`${home}/.netrc`, around)).toBe("ask ask ask ask");
    expect(verdicts(`${home}/.ssh/authorized_keys`, around, "file.write")).toBe("deny ask ask ask");
    expect(verdicts(`${home}/notes.txt`, around)).toBe("allow allow allow allow");
  });

  it("does not apply to the folder that the user chose, nor to a project's own files", () => {
    const within = { cwd: `${home}/.claude/skills/x`, folders: [], env };
    expect(verdicts(`${home}/.claude/skills/x/run.sh`, within)).toBe("allow allow allow allow");
    expect(verdicts(`${home}/.claude/.credentials.json`, within)).toBe("ask ask ask ask");
    expect(verdicts(`${home}/app/.npmrc`)).toBe("allow allow allow allow");
    expect(verdicts(`${home}/app/.docker/config`)).toBe("allow allow allow allow");
  });

  it("does not reach similar names", () => {
    for (const name of [".sshx", ".gitconfig", ".config/ghostty", ".bashrc", ".docker-notes", ".config/git/config"])
      expect(isCredential(join(home, name), [], home), name).toBe(false);
    expect(isCredential("/etc/shadows", [], home)).toBe(false);
  });

  it.each(["cat ~/.net*", "cat ~/.[s]sh/id_rsa", "head ~/.{netrc,x}", "cat ~/.config/g*/hosts.yml"])(
    "is found through a pattern of the shell: %s",
    (command) => {
      const { actions } = classify(command, place);
      expect(decide("full-auto", actions, place, [], { person: true }).verdict).toBe("ask");
    },
  );

  it("has absolute paths for each home folder, without duplicates", () => {
    const paths = credentialPaths([home]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain(`${home}/.netrc`);
    expect(paths.every((path) => path.startsWith("/") && !path.endsWith("/"))).toBe(true);
  });
});

describe("names that suggest credentials", () => {
  it.each([".env", "x/.env.local", "server.pem", "aws-credentials.json", "service-account-1.json", "secrets.yml"])(
    "include %s in any folder",
    (name) => expect(isSecretPath(join("/srv", name))).toBe(true),
  );
  it.each([".env.example", "environment.ts", "credential-form/index.ts", "keys.ts"])("do not include %s", (name) =>
    expect(isSecretPath(join("/srv", name))).toBe(false),
  );
});
