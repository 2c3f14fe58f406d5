/** Bash syntax that runs commands, redirects output or changes what a later command means. */
export const SYNTAX = String.raw`
echo x > pwned
echo x >> pwned
echo x >| pwned
echo x >& pwned
echo x &> pwned
echo x &>> pwned
cat <> pwned
: > a.txt
> a.txt
echo x 1> pwned
ls nothing 2> pwned
echo x {fd}> pwned
echo x >pwned 2>&1
> pwned echo x
cat <<EOF > pwned¶x¶EOF
cat > pwned <<'EOF'¶x¶EOF
cat <<EOF¶$(touch pwned)¶EOF
cat <<EOF¶$(./canary)¶EOF
cat <<-EOF¶	¤./canary¤¶	EOF
cat <<EOF | sh¶touch pwned¶EOF
sh <<EOF¶touch pwned¶EOF
sh <<< 'touch pwned'
cat <<< "$(touch pwned)"
cat <(touch pwned)
cat <(./canary)
echo x > >(cat > pwned)
echo x | tee >(cat > pwned)
ls; touch pwned
ls && touch pwned
ls || touch pwned; touch pwned
ls & touch pwned
ls | tee pwned
ls |& tee pwned
ls¶touch pwned
ls \¶; touch pwned
! touch pwned
{ touch pwned; }
(touch pwned)
((x=1)); touch pwned
if touch pwned; then :; fi
if true; then ./canary; fi
while touch pwned; do break; done
until ./canary; do break; done
for i in 1; do touch pwned; done
for i in $(touch pwned); do :; done
for ((i=0;i<1;i++)); do touch pwned; done
select i in a; do touch pwned; done < a.txt
case a in a) touch pwned;; esac
case $(touch pwned) in *) ;; esac
coproc touch pwned
coproc X { touch pwned; }
f() { touch pwned; }; f
function f { touch pwned; }; f
ls() { touch pwned; }; ls
ls() (touch pwned); ls
alias ls='touch pwned'¶ls
shopt -s expand_aliases; alias x='touch pwned'¶x
trap 'touch pwned' EXIT
trap 'touch pwned' DEBUG; ls
trap 'touch pwned' ERR; false
trap ./canary RETURN
echo $(touch pwned)
echo "$(touch pwned)"
echo ¤touch pwned¤
echo "¤touch pwned¤"
echo $(./canary)
echo $(echo $(touch pwned))
echo "${"$"}{x:-$(touch pwned)}"
echo ${"$"}{x:=$(touch pwned)}
echo ${"$"}{x+$(touch pwned)}$(touch pwned)
echo $(( $(touch pwned) + 1 ))
echo $((a[$(touch pwned)]))
echo $[a[$(touch pwned)]]
echo ${"$"}{a[$(touch pwned)]}
x='a[$(touch pwned)]'; echo $((x))
x='a[$(touch pwned)]'; echo $[x]
x='a[$(touch pwned)]'; [[ $x -eq 1 ]]
x='a[$(touch pwned)]'; [[ x -eq 1 ]]
x='a[$(touch pwned)]'; let x
x='a[$(touch pwned)]'; declare -i y=x
x='a[$(touch pwned)]'; ((x))
x='a[$(touch pwned)]'; test -v "$x"
x='a[$(touch pwned)]'; echo ${"$"}{a[x]}
x='a[$(touch pwned)]'; echo ${"$"}{s:x}
x='$(touch pwned)'; echo ${"$"}{x@P}
x=y; y='$(touch pwned)'; echo ${"$"}{!x@P}
a='-v'; b='x[$(touch pwned)]'; test $a $b
a=-v; b='x[$(touch pwned)]'; [ "$a" "$b" ]
test -v 'a[$(touch pwned)]'
[ -v 'a[$(touch pwned)]' ]
[[ -v 'a[$(touch pwned)]' ]]
[[ -v a[$(touch pwned)] ]]
[[ 'a[$(touch pwned)]' -eq 1 ]]
[[ 1 -lt 'a[$(touch pwned)]' ]]
[[ -R 'a[$(touch pwned)]' ]]
let 'a[$(touch pwned)]=1'
let "x=$(touch pwned)"
declare 'a[$(touch pwned)]=1'
declare -a 'a=([$(touch pwned)]=1)'
typeset -i x='a[$(touch pwned)]'
local x=$(touch pwned)
readonly 'a[$(touch pwned)]=1'
export 'a[$(touch pwned)]=1'
unset 'a[$(touch pwned)]'
read 'a[$(touch pwned)]' < a.txt
read -a 'a[$(touch pwned)]' < a.txt
printf -v 'a[$(touch pwned)]' x
printf -v'a[$(touch pwned)]' x
printf -v x %s "$(touch pwned)"
mapfile -C 'touch pwned #' -c 1 x < a.txt
readarray -C ./canary -c 1 x < a.txt
mapfile -t 'a[$(touch pwned)]' < a.txt
getopts x 'a[$(touch pwned)]'
wait -n -p 'a[$(touch pwned)]'
complete -C 'touch pwned' x
compgen -C 'touch pwned'
compgen -W '$(touch pwned)'
compgen -F f
enable -f ./canary x
enable -n ls
hash -p ./canary ls; ls
hash -p ./canary grep; grep one a.txt
jobs -x touch pwned
jobs -x ./canary
fc -s
fc -e ./canary
history -w pwned
history -a pwned
bind -x '"x":./canary'
bind -f evil.sh
command eval touch pwned
command . ./evil.sh
builtin . ./evil.sh
disown -a; touch pwned
set -- touch pwned; "$@"
set -o allexport; PATH=.; ls
set -a; PATH=.:$PATH; ls
PS4='$(touch pwned)'; set -x; ls
PS4='$(./canary)' bash -xc ls
PROMPT_COMMAND='touch pwned' bash -ic true
PATH=. ls
PATH=.:$PATH ls
PATH=.:$PATH cat a.txt
PATH=$PWD git status
export PATH=.; ls
declare -x PATH=.; ls
read PATH < sub/c.txt; ls
for PATH in .; do ls; done
printf -v PATH .; ls
x=PATH; declare -n x; x=.; ls
BASH_ENV=./evil.sh bash -c true
ENV=./evil.sh sh -c true
LD_PRELOAD=./canary ls
LD_LIBRARY_PATH=. ls
LESSOPEN='|./canary %s' less a.txt
LESS=-opwned less a.txt
PAGER=./canary git log
MANPAGER=./canary man ls
GIT_PAGER=./canary git -p log
GIT_EXTERNAL_DIFF=./canary git diff
GIT_CONFIG_GLOBAL=gitconfig git status
GIT_CONFIG_SYSTEM=gitconfig git status
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./canary git status
GIT_CONFIG_PARAMETERS="'core.fsmonitor'='./canary'" git status
GIT_DIR=bare.git git status
GIT_SSH_COMMAND=./canary git ls-remote x:y
GIT_ASKPASS=./canary git fetch
GIT_EDITOR=./canary git commit
GIT_TRACE=$PWD/pwned git status
GIT_TRACE2=$PWD/pwned git status
GIT_TRACE2_EVENT=$PWD/pwned git log
GIT_INDEX_FILE=pwned git read-tree HEAD
HOME=. git status
XDG_CONFIG_HOME=. git status
RIPGREP_CONFIG_PATH=list.txt rg one
GREP_OPTIONS=-f../.netrc grep x
TAR_OPTIONS=--to-command=./canary tar tf a.txt
NODE_OPTIONS='-r ./canary' node --version
NODE_PATH=. npm ls
npm_config_node_options='-r ./canary' npm ls
PYTHONPATH=. python3 --version
PYTHONSTARTUP=./evil.sh python3 --version
PERL5OPT=-Mx perl --version
RUBYOPT=-r./x ruby --version
JAVA_TOOL_OPTIONS=-javaagent:x java -version
TMPDIR=$PWD sort a.txt -S 1b
SHELL=./canary vim --version; ./canary
CDPATH=/ cd tmp; touch pwned
IFS=x; touch${"$"}{IFS}pwned
env PATH=. ls
env LD_PRELOAD=./canary ls
env GIT_PAGER=./canary git log
env BASH_ENV=./evil.sh bash -c true
x=1 env PATH=. ls
t''ouch pwned
to"uc"h pwned
'touch' pwned
"touch" pwned
\touch pwned
t\ouch pwned
$'touch' pwned
$'\x74ouch' pwned
$'\164ouch' pwned
$'\u0074ouch' pwned
$"touch" pwned
$(echo touch) pwned
¤echo touch¤ pwned
x=touch; $x pwned
x=to; y=uch; $x$y pwned
${"$"}{x:-touch} pwned
t?uch pwned
/usr/bin/t?uch pwned
/usr/bin/[t]ouch pwned
/*/*/touch pwned
{touch,pwned}
{touch,} pwned
touch{,} pwned
touch${"$"}{IFS}pwned
touch$IFS'pwned'
touch</dev/null pwned
2>/dev/null touch pwned
</dev/null touch pwned
X=1 touch pwned
X=1 Y=2 ./canary
./canary
./ls
./canary --version
../repository/canary
$PWD/canary
~/repository/canary
/usr/bin/../../$PWD/canary
bin/ls
node_modules/.bin/tsc --version
./node_modules/.bin/ls
command ./canary
env ./canary
cd bin && ./ls
cd . && ./canary
pushd sub; touch pwned
(cd sub; touch pwned)
echo a # b¶touch pwned
echo '#'; touch pwned
echo a\# ; touch pwned
echo "a" ';' "b"; touch pwned
echo 'it'\''s'; touch pwned
echo "\""; touch pwned
echo $'\''; touch pwned
echo "$(echo ")")"; touch pwned
echo "¤echo \"x\"¤"; touch pwned
echo a\¶b; touch pwned
ls;touch pwned;
ls&&touch pwned
ls|touch pwned
ls||touch pwned;touch pwned
ls&touch pwned
true;{ touch pwned;}
true && { ./canary; }
echo ${"$"}{x/a/$(touch pwned)}
echo ${"$"}{x^^$(touch pwned)}
echo ${"$"}{x#$(touch pwned)}
echo ~$(touch pwned)
echo *$(touch pwned)
ls > $(touch pwned)
ls < $(echo a.txt; touch pwned)
cat "$(touch pwned; echo a.txt)"
grep -e "$(touch pwned)" a.txt
`.replaceAll("¤", "`");
