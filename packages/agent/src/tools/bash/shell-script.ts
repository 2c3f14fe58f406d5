/**
 * The wrapper around each command. It restores the state that the last command left (folder, variables, functions,
 * aliases) and saves it again at the end. So every command has a separate process group and sandbox, but continues where
 * the last one ended. Arguments: state before, state after, file of the command, names not to save, folder.
 */
export const SHELL_SCRIPT = String.raw`
__gantry_before=$1 __gantry_after=$2 __gantry_command=$3 __gantry_skip=$4 __gantry_cwd=$5
set --
shopt -s expand_aliases
if [ -r "$__gantry_before" ]; then . "$__gantry_before" >/dev/null 2>&1; fi
[ -z "$__gantry_env" ] || eval "$__gantry_env"
unset __gantry_env
cd -- "$__gantry_cwd" || exit 1
__gantry_save() {
  local __gantry_name
  trap - EXIT
  {
    printf '%s\0' "$PWD"
    for __gantry_name in $(compgen -v); do
      case $__gantry_name in
        __gantry*|BASH*|FUNCNAME|GROUPS|DIRSTACK|PIPESTATUS|RANDOM|SRANDOM|SECONDS|LINENO|SHLVL|PPID|UID|EUID|SHELLOPTS|_|PWD|OLDPWD|EPOCH*|COLUMNS|LINES|OPT*|COMP_*|HISTCMD|TMPDIR|TERM) continue ;;
      esac
      case " $__gantry_skip " in *" $__gantry_name "*) continue ;; esac
      declare -p "$__gantry_name" 2>/dev/null
    done
    declare -f
    alias -p
    printf 'OLDPWD=%q\n# end\n' "$OLDPWD"
  } >"$__gantry_after" 2>/dev/null
  exit "$1"
}
trap '__gantry_save $?' EXIT
eval "$(<"$__gantry_command")"
`;
