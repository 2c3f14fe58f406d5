/** The typed arguments, in zsh. */
const ZSH_ARGUMENTS = "words"; // prose-ignore: variable of zsh

/** Each script calls `gantry __complete`, so that it does not depend on the set of commands. */
export const scripts = {
  bash: `_gantry() {
  local IFS=$'\\n'
  COMPREPLY=($(gantry __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _gantry gantry
`,
  zsh: `#compdef gantry
_gantry() {
  local line
  local -a proposals
  for line in "\${(@f)$(gantry __complete -- "\${(@)${ZSH_ARGUMENTS}[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && proposals+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#proposals} )); then _describe 'gantry' proposals; else _files; fi
}
compdef _gantry gantry
`,
  fish: `function __gantry_complete
  set -l typed (commandline -opc) (commandline -ct)
  gantry __complete -- $typed[2..-1] 2>/dev/null
end
complete -c gantry -f -a '(__gantry_complete)'
`,
} as const;

export type Shell = keyof typeof scripts;
