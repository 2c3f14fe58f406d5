type Fields = { name?: string; version?: string } & Partial<Record<(typeof LISTS)[number], Record<string, string>>>;

/** Lists of dependencies, which name packages of the repository with their exact version. */
const LISTS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

export function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(text);
}

/** A manifest with this version, also of its dependencies in the repository. */
export function setVersion(text: string, version: string): string {
  return `${JSON.stringify(withVersion(JSON.parse(text) as Fields, version), null, 2)}\n`;
}

/** The lock file with this version of the packages of the repository. Links to them have no version. */
export function setLockVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as Fields & { packages: Record<string, Fields> };
  const packages = Object.entries(lock.packages).map(([path, entry]) => [
    path,
    path === "" || path.startsWith("packages/") ? withVersion(entry, version) : entry,
  ]);
  return `${JSON.stringify({ ...lock, version, packages: Object.fromEntries(packages) }, null, 2)}\n`;
}

/** Gives the unreleased section, which is the first one, this version and a date. Throws if there is none. */
export function dateChangelog(text: string, version: string, date: string): string {
  const [heading] = /^## .*$/m.exec(text) ?? [];
  if (!heading?.endsWith("(unreleased)")) {
    throw new Error("CHANGELOG.md does not begin with an unreleased section: `## <version> (unreleased)`.");
  }
  return text.replace(heading, `## ${version} (${date})`);
}

function withVersion(fields: Fields, version: string): Fields {
  const result = { ...fields, ...(fields.version === undefined ? {} : { version }) };
  for (const list of LISTS) {
    if (!result[list]) continue;
    const entries = Object.entries(result[list]);
    result[list] = Object.fromEntries(
      entries.map(([name, pinned]) => [name, name.startsWith("@gantry/") ? version : pinned]),
    );
  }
  return result;
}
