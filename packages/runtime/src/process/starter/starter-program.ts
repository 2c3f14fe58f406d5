import { existsSync } from "node:fs";

const PERL = "/usr/bin/perl";

/** Numbers of system calls. Loading the library that names them takes perl longer than the rest of its work. */
const CALLS: Partial<Record<string, { prctl: number; setsid: number; mknodat: number; close: number }>> = {
  x64: { prctl: 157, setsid: 112, mknodat: 259, close: 3 },
  arm64: { prctl: 167, setsid: 157, mknodat: 33, close: 57 },
};

/** The command of the starter (starter.ts) for this daemon; `undefined` where there is none. */
export function starterCommand(daemon: number): string[] | undefined {
  const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
  return calls && existsSync(PERL) ? [PERL, "-e", program(calls), String(daemon)] : undefined;
}

/**
 * Reads requests from stdin: the length of the rest as a 32-bit number, then strings separated by NUL. Answers with lines
 * `<request> pid <number> <start time>`, then `<request> ready` or `<request> error <errno>`. It dies with the daemon
 * (PR_SET_PDEATHSIG), so that no request is carried out after its sender is gone.
 *
 * A started program leads a session, adopts every descendant whose parent has ended (PR_SET_CHILD_SUBREAPER), and has a pipe
 * as stdout. `ready` is sent when the program writes to the pipe or closes it. An ended program leaves no zombie, because the
 * starter ignores SIGCHLD; the program gets its default back.
 */
const program = ({ prctl, setsid, mknodat, close }: NonNullable<(typeof CALLS)[string]>) => `
syscall(${prctl}, 1, 9, 0, 0, 0);
getppid() == $ARGV[0] or exit;
chdir "/";
opendir my $open, "/proc/self/fd";
my @files = grep { $_ > 2 } readdir $open;
closedir $open;
syscall(${close}, $_ + 0) for @files;
$SIG{CHLD} = "IGNORE";
my ($input, %waiting) = ("");

sub answer { syswrite STDOUT, "@_\\n" }

sub run {
  my ($cwd, $fifo, $files, $variables, @rest) = @_;
  my @files = splice @rest, 0, $files;
  my %env = map { split /=/, $_, 2 } splice @rest, 0, $variables;
  $SIG{CHLD} = "DEFAULT";
  syscall(${setsid});
  syscall(${prctl}, 36, 1, 0, 0, 0);
  chdir $cwd or return;
  while (my ($path, $text) = splice @files, 0, 2) {
    sysopen my $file, $path, 01101, 0600 or return;
    $text eq "" or syswrite $file, $text or return;
  }
  if ($fifo ne "") { syscall(${mknodat}, -100, $fifo, 010600, 0) == 0 or return }
  %ENV = %env;
  exec { $rest[0] } @rest;
}

${LOOP}`;

const LOOP = `sub start {
  my ($request, @rest) = @_;
  pipe my $from, my $to or return answer $request, "error", $! + 0;
  my $pid = fork;
  defined $pid or return answer $request, "error", $! + 0;
  if ($pid == 0) {
    open STDIN, "<", "/dev/null";
    open STDOUT, ">&", $to;
    run(@rest);
    syswrite $to, $! + 0;
    kill 9, $$;
  }
  close $to;
  my $stat = "";
  if (open my $file, "<", "/proc/$pid/stat") { $stat = <$file> }
  my ($after) = $stat =~ /.*\\) (.*)/;
  answer $request, "pid", $pid, (split / /, $after)[19] || 0;
  $waiting{fileno $from} = [$from, $request];
}

for (;;) {
  my $bits = "";
  vec($bits, $_, 1) = 1 for 0, keys %waiting;
  select($bits, undef, undef, undef) > 0 or next;
  for (grep { vec $bits, $_, 1 } keys %waiting) {
    my ($from, $request) = @{delete $waiting{$_}};
    sysread $from, my $text, 16;
    answer $request, $text =~ /\\d/ ? ("error", $text) : "ready";
  }
  vec($bits, 0, 1) or next;
  sysread STDIN, $input, 65536, length $input or exit;
  while (length $input >= 4 and length $input >= 4 + (my $size = unpack "N", $input)) {
    start(split /\\0/, substr($input, 4, $size), -1);
    substr($input, 0, 4 + $size) = "";
  }
}
`;
