import { isProgram } from "../permissions/paths.ts";

/** The system's Perl. One from PATH could be the project's. */
const PERLS = ["/usr/bin/perl", "/bin/perl"];

/**
 * Starts a program after three things that bubblewrap cannot do: it closes inherited files, cuts the program off from
 * abstract sockets, which have no file name and come with the network, and forbids writing outside of the given folders.
 * A read-only mount does the last for files, but not for named pipes. Abstract sockets need Linux 6.12, named pipes 5.19;
 * an older kernel leaves them open. Perl is the smallest program on nearly every Linux that can make these system calls.
 *
 * 436 close_range, 444 landlock_create_ruleset, 445 landlock_add_rule, 446 landlock_restrict_self: the numbers are the
 * same on all architectures. 0x2002 is the right to write files and to move them between folders.
 */
const SCRIPT = String.raw`
my @folders = splice(@ARGV, 0, shift @ARGV);
syscall(436, 3, 0xffffffff, 0);
my $version = syscall(444, 0, 0, 1);
if ($version >= 2) {
  my $attributes = $version >= 6 ? pack("QQQ", 0x2002, 0, 1) : pack("Q", 0x2002);
  my $rules = syscall(444, $attributes, length $attributes, 0);
  die "landlock: $!\n" if $rules < 0;
  for (@folders) {
    sysopen(my $folder, $_, 0x200000) or next;
    my $rule = pack("Ql", 0x2002, fileno $folder);
    syscall(445, $rules, 1, $rule, 0);
  }
  die "landlock: $!\n" if syscall(446, $rules, 0) != 0;
}
exec { $ARGV[0] } @ARGV;
print STDERR "$ARGV[0]: $!\n";
exit 127;
`;

/** The command behind this starter; unchanged where the machine has no Perl. `writable`: folders, as the command sees them. */
export function restrictCommand(command: readonly string[], writable: readonly string[], perls = PERLS): string[] {
  const perl = perls.find(isProgram);
  if (perl === undefined) return [...command];
  const folders = ["/dev", "/proc", ...writable];
  return [perl, "-e", SCRIPT, "--", String(folders.length), ...folders, ...command];
}
