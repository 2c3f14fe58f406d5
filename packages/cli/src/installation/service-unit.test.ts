import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { launchdPlist, type ServicePlan, systemdUnit } from "./service-unit.ts";

const PLAN: ServicePlan = {
  launcher: "/opt/bin/gantry",
  home: "/home/ann/.gantry",
  path: "/opt/bin:/bin",
  hasOwnHome: false,
};

describe("the unit of systemd", () => {
  it("starts the command, spares its agents, and keeps the ticket out of the journal", () => {
    expect(systemdUnit(PLAN).split("\n")).toEqual(
      expect.arrayContaining([
        'ExecStart="/opt/bin/gantry" serve',
        'Environment="PATH=/opt/bin:/bin"',
        "EnvironmentFile=-/home/ann/.gantry/service.env",
        "StandardOutput=null",
        "KillMode=process",
        "Restart=on-failure",
        "WantedBy=default.target",
      ]),
    );
    expect(systemdUnit(PLAN)).not.toContain("GANTRY_HOME");
    expect(systemdUnit({ ...PLAN, hasOwnHome: true })).toContain('Environment="GANTRY_HOME=/home/ann/.gantry"\n');
  });

  it("quotes what systemd would expand", () => {
    const unit = systemdUnit({ ...PLAN, launcher: '/a b/50%/$x/"q"/\\', path: "/100%/$HOME" });
    expect(unit).toContain('ExecStart="/a b/50%%/$$x/\\"q\\"/\\\\" serve\n');
    expect(unit).toContain('Environment="PATH=/100%%/$HOME"\n');
  });
});

describe("the agent of launchd", () => {
  const strings = (plist: string) =>
    [...plist.matchAll(/<string>(.*)<\/string>/g)].map(([, text = ""]) =>
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
    );

  it("spares the agents of the daemon and starts it again only after a failure", () => {
    const plist = launchdPlist(PLAN);
    expect(plist).toMatch(/<key>AbandonProcessGroup<\/key>\s*<true\/>/);
    expect(plist).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
    expect(plist).not.toContain("StandardOutPath");
  });

  it("has every path unchanged after the XML is read", () => {
    const path = fc.stringMatching(/^\/[ -~]{1,30}$/);
    fc.assert(
      fc.property(path, path, (launcher, home) => {
        const values = strings(launchdPlist({ ...PLAN, launcher, home }));
        expect(values).toContain(launcher);
        expect(values).toContain(`${home}/service.env`);
      }),
    );
  });

  it("starts the command with the variables of the file, and without the file", () => {
    const [, shell = "", dashC = "", script = ""] = strings(launchdPlist(PLAN));
    const run = (file: string) => execFileSync(shell, [dashC, script, file, "/bin/echo"], { encoding: "utf8" });
    expect(run("/nonexistent/service.env")).toBe("serve\n");
  });
});
