/** Commands that developers and models use to look at a project. All of them must count as reading. */
export const READING_COMMANDS: readonly string[] = String.raw`
ls
ls -la
ls -lah src
ls -1 packages
ls -lt | head -20
ls -R src | head -50
ls -d */
ls -la node_modules/.bin | grep tsc
ls --color=never -l
ls src/*.ts
ls -la .github/workflows
ls -ltr --time-style=long-iso
ls packages/*/package.json
ls -la ~
ls /usr/lib
cat package.json
cat -n src/index.ts
cat src/a.ts src/b.ts
cat src/{a,b}.ts
cat *.md
cat README.md | head -n 40
cat -A file.txt | head
cat .gitignore
cat .env.example
cat /etc/os-release
cat /etc/hosts
cat <<'EOF'¶text¶EOF
head -20 src/index.ts
head -n 20 src/index.ts
head -c 200 data.bin
head --lines=5 a b
head -n -5 file
tail -n 50 app.log
tail -n +5 a.csv
tail -20 log.txt
tail -f app.log
tail -c 100 x
wc -l src/*.ts
wc -l < file.txt
wc -lwc file
find . -name '*.ts' | wc -l
nl -ba src/index.ts | sed -n '10,30p'
tac log.txt | head
rev a.txt
grep foo a.txt
grep -n "export function" src/index.ts
grep -rn "TODO" src
grep -rn --include='*.ts' "classify" packages
grep -rn --include=*.ts "classify" packages
grep -rl "import React" src --include='*.tsx'
grep -rniE "(foo|bar)" src
grep -c x a
grep -v '^#' config
grep -A3 -B3 main src/main.ts
grep -C 5 'pattern' file
grep -oP '(?<=version": ")[^"]+' package.json
grep -q foo a && echo yes
grep -w name package.json
grep -F 'a.b' x
grep --color=never -n foo bar
grep -e foo -e bar file
grep -rn 'foo' . --exclude-dir=node_modules --exclude-dir=.git
grep -rIn foo .
grep -L foo *.ts
grep -Hn foo *.ts
grep -m1 version package.json
grep -i error app.log | tail -20
egrep 'a|b' x
fgrep a x
zgrep foo logs/a.gz
rg foo
rg -n "foo bar" src
rg -n 'fn main' -g '*.rs'
rg -l TODO
rg -c TODO src
rg --files
rg --files -g '*.ts' | head
rg -i foo --type ts
rg -tts foo
rg -uu foo
rg -C3 foo src
rg -A 5 -B 5 foo
rg --hidden foo .
rg -w foo -n --no-heading
rg -e foo -e bar
rg -U 'a\nb' src
rg --json foo src
rg -o '\w+@\w+' src
rg 'useState' -g '!node_modules' -g '*.tsx' -n
rg --sort path foo
rg -F 'a(b' src
rg -n foo src/a.ts src/b.ts | head -20
find . -name '*.ts'
find . -type f -name "*.json" -not -path "./node_modules/*"
find src -type f
find . -maxdepth 2 -type d
find . -name '*.ts' -newer package.json
find . -size +1M
find . -mtime -1 -type f
find . -name node_modules -prune -o -name '*.js' -print
find . \( -name '*.a' -o -name '*.b' \) -print
find . -type f -exec grep -l foo {} +
find . -name '*.md' -exec head -5 {} \;
find . -name '*.ts' -exec wc -l {} +
find . -type f -printf '%s %p\n' | sort -rn | head
find . -empty
find . -iname readme*.md
find . -name *.log
find src -name '*.ts' | xargs grep -n foo
find src -name '*.ts' -print0 | xargs -0 grep -l foo
find . -type f | head -100
find packages -maxdepth 2 -name package.json | sort
find . -path ./node_modules -prune -o -type f -print | wc -l
find /usr/include -name 'stdio.h'
fd foo
fd -e ts
fd -t f -H config
fd -g '*.md' docs
fd --extension json --max-depth 2
tree
tree -L 2
tree -I node_modules -L 3
tree -a -d src
tree --dirsfirst -L 2 packages
stat package.json
stat -c '%s %n' *.json
stat --format=%Y a
du -sh .
du -sh *
du -h --max-depth=1
du -ah src | sort -rh | head -20
df -h
df -h .
df -i
file a.bin
file -b --mime-type x
file ./*
which node
which -a python3 node
type node
type -a ls
command -v git
command -v node npm
whereis gcc
realpath src
realpath --relative-to=. src/a
readlink -f node_modules/.bin/tsc
basename /a/b/c.ts .ts
dirname src/a/b.ts
pwd
echo hello
echo "$HOME"
echo $PATH
echo -n x
echo -e 'a\tb'
echo "a" "b" | tr a-z A-Z
printf '%s\n' a b c
printf "%d\n" 5
env
env | sort
env | grep NODE
printenv
printenv PATH
date
date +%Y-%m-%d
date -u +"%Y-%m-%dT%H:%M:%SZ"
date -d '1 day ago' +%F
date --iso-8601=seconds
whoami
id
id -u
hostname
uname -a
uname -sr
uptime
ps aux
ps aux | grep node
ps -ef | head
ps -eo pid,cmd,%mem --sort=-%mem | head -5
ps -p 1 -o comm=
pgrep -fl node
free -h
nproc
lscpu | head
arch
groups
locale
getconf LONG_BIT
sleep 1
seq 1 10
seq 5
true
false
:
test -f package.json && echo yes
test -d src
[ -f a ] && cat a
[ -d node_modules ] || echo missing
[ "$(ls -A)" ] && echo full
[[ -f a ]] && echo yes
[[ "$x" == y* ]] && echo y
sort a.txt
sort -u names
sort -rn counts | head
sort -k2,2 -t, data.csv
sort -t$'\t' -k3 file
sort --reverse --numeric-sort a
sort a | uniq -c | sort -rn
sort a | uniq -d
uniq -c sorted
cut -d, -f1 data.csv
cut -d: -f1,3 /etc/passwd
cut -c1-80 file
tr -d '\r' < a
tr '[:upper:]' '[:lower:]' < a
tr -s ' ' < a | cut -d' ' -f2
paste -sd, a
paste a b
comm -12 a b
comm -13 <(sort a) <(sort b)
join a b
column -t -s, data.csv
fold -w 80 -s text
fmt -w 72 text
expand a
diff a b
diff -u a.ts b.ts
diff -ru dir1 dir2
diff -q a b
diff --color=never -y a b
diff <(ls a) <(ls b)
cmp a b
md5sum a
sha256sum package-lock.json
cksum a
od -c a | head
hexdump -C a | head
xxd a | head
xxd -l 64 a.bin
strings a.bin | head
base64 a
base64 -d a
sed -n '1,20p' src/index.ts
sed -n 10,40p a
sed -n '/start/,/end/p' a
sed -n '5p;10p' a
sed 's/foo/bar/g' a
sed -e 's/a/b/' -e 's/c/d/' a
sed -E 's/(a+)b/\1/g' a
sed '/^#/d' config
sed '/^$/d;s/ *$//' a
sed -n '$p' a
sed '$!d' a
sed 5q a
sed -n '1,5!p' a
sed 's|/|_|g' a
sed -n 's/^version: //p' a
sed -n '/foo/{p;n;p}' a
sed '1d' data.csv | head
awk '{print $1}' a
awk -F, '{print $2}' data.csv
awk -F: '{print $1}' /etc/passwd
awk 'NR==5' a
awk 'NR>=10 && NR<=20' a
awk 'NR>1 {print $2}' a
awk '/foo/ {print $0}' a
awk '{sum += $1} END {print sum}' a
awk '{count[$1]++} END {for (k in count) print count[k], k}' a
awk 'length > 80' a
awk '$3 > 100' data
awk -v n=5 'NR<=n' a
awk '!seen[$0]++' a
awk 'BEGIN {FS=","} {print $1 "|" $2}' a
awk '{printf "%s %d\n", $1, $2}' a
awk -F'\t' '$2 ~ /foo|bar/ {print $1}' a
awk '{ if ($1 > 3) { c++ } } END { print c / NR }' a
jq . package.json
jq .name package.json
jq -r '.scripts | keys[]' package.json
jq '.dependencies | length' package.json
jq -c '.[]' a.json
jq -r '.a // "none"' a.json
cat a.json | jq '.items[] | select(.x > 3) | .name'
jq -S . a.json
jq --arg x 5 '.[] | select(.a == $x)' a.json
jq -r --argjson n 3 '.[$n]' a.json
jq -s 'add' a.json b.json
jq 'to_entries | map("\(.key)=\(.value)")' a.json
yq .name a.yml
yq -r '.services | keys' docker-compose.yml
git status
git status -s
git status --short --branch
git status --porcelain
git status --porcelain=v2 -uall
git log
git log --oneline
git log --oneline -10
git log -5 --stat
git log -n 5 --pretty=format:'%h %an %s'
git log --graph --oneline --all
git log --since='2 weeks ago' --author=me
git log -p -- src/a.ts
git log --follow -- README.md
git log main..HEAD --oneline
git log -S'foo' --oneline
git log -G foo
git log -L1,10:src/a.ts
git log --name-only -3
git log --name-status HEAD~3..
git log --format='%h %s' | head
git log -1 --format=%cd --date=short
git log --grep=fix -i
git log --no-merges --first-parent main
git log --all --decorate
git diff
git diff HEAD
git diff HEAD~1 -- a.ts
git diff --stat
git diff --cached
git diff --staged --name-only
git diff main...HEAD
git diff --name-status main
git diff -U10 HEAD
git diff -w
git diff --word-diff
git diff --no-color
git diff --numstat
git diff a b -- src
git diff $(git merge-base main HEAD)
git --no-pager diff
git --no-pager log --oneline -5
git show
git show HEAD
git show HEAD:src/a.ts
git show --stat HEAD
git show --name-only abc123
git show HEAD~2 -- a.ts
git show HEAD@{1}
git show stash@{0}
git blame a.ts
git blame -L 10,20 a.ts
git blame -w -C a.ts
git branch
git branch -a
git branch -vv
git branch --show-current
git branch --list 'feature/*'
git branch --contains abc
git branch -r --merged
git tag
git tag -l 'v*'
git tag --sort=-creatordate | head
git remote -v
git remote
git remote get-url origin
git stash list
git stash show -p
git reflog
git reflog -10
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git rev-list --count HEAD
git ls-files
git ls-files '*.ts' | wc -l
git ls-files -o --exclude-standard
git ls-files -m
git ls-tree -r HEAD --name-only
git cat-file -p HEAD
git merge-base main HEAD
git describe --tags --always
git shortlog -sn
git config --get user.name
git config --list
git config user.email
git config --get remote.origin.url
git worktree list
git grep -n foo
git grep -n foo -- '*.ts'
git grep -i -l todo
git check-ignore -v node_modules
git for-each-ref --sort=-committerdate refs/heads
git show-ref
git count-objects -vH
git symbolic-ref --short HEAD
git -C packages status
git -C packages/agent log --oneline -3
git -c color.ui=never status
git clean -n
git clean -nd
git --version
git diff-tree --no-commit-id --name-only -r HEAD
git name-rev HEAD
cd src && ls
cd packages/agent && cat package.json
cd src && grep -rn foo .
cd packages && git status -s
cd "$(git rev-parse --show-toplevel)" && ls
(cd src && ls)
pushd src && ls
for f in src/*.ts; do head -3 "$f"; done
for f in a b c; do echo "== $f"; cat "$f"; done
for d in packages/*; do echo $d; done
for i in 1 2 3; do echo $i; done
for i in {1..5}; do echo $i; done
cat part{1..3}.txt
for f in $(git ls-files '*.md'); do wc -l "$f"; done
while read -r line; do echo "$line"; done < list.txt
git ls-files | while read -r f; do wc -l "$f"; done
while IFS= read -r line; do echo "$line"; done < a
if [ -f package.json ]; then cat package.json; fi
if git diff --quiet; then echo clean; fi
git ls-files | xargs wc -l
git ls-files | xargs wc -l | tail -1
git diff --name-only | xargs cat
git ls-files '*.ts' | xargs grep -n foo | head
ls | xargs -n 1 echo
ls *.ts | xargs -I{} head -3 {}
rg -l foo | xargs wc -l
grep -rl foo src | xargs grep -n bar
echo a b | xargs cat
wc -l $(git ls-files)
cat $(find . -name package.json -maxdepth 2)
x=5; echo $x
F=src/index.ts; cat $F
file="a b.txt"; cat "$file"
LC_ALL=C sort a
TZ=UTC date
NO_COLOR=1 git status
FOO=1 ls
export FOO=1
timeout 10 grep -rn foo src
time ls
nice -n 10 grep -r foo src
ls 2>/dev/null
ls 2>&1 | head
ls > /dev/null 2>&1
cat a 2>/dev/null || echo none
ls & wait
{ ls; pwd; }
! grep -q x a
set -e; ls
set -euo pipefail; cat a | head
bash -c 'ls -la'
sh -c "cat a | head"
echo $((1 + 2))
echo "lines: $(wc -l < a)"
echo "$(date): $(git rev-parse --short HEAD)"
node --version
node -v
npm --version
npm -v
npm ls
npm ls --depth=0
npm list -g --depth 0
npm why react
npm root -g
npm config get registry
npm pkg get version
python3 --version
python --version
pip list
pip show requests
pip freeze
ruby --version
java -version
gcc --version
make --version
docker --version
docker ps
docker ps -a
docker images
docker logs --tail 100 web
docker inspect web
kubectl get pods
kubectl get pods -n web -o wide
kubectl describe pod x
kubectl logs x --tail=50
gh pr view 3
gh pr list
gh pr diff 3
gh issue view 12 --comments
gh run list --limit 5
systemctl status nginx
dpkg -l
dpkg -L bash
apt list --installed
tar -tf a.tgz
tar tzf a.tgz
tar -tvf a.tar
unzip -l a.zip
zcat a.gz | head
less README.md
nm -C a.o
lsof -i :3000
getent passwd root
cat package.json | jq -r .version
cat package.json | grep -A5 scripts
ls -la src && cat src/index.ts | head -50
cat a.txt; echo ---; cat b.txt
pwd; ls -la; git status
git status && git diff --stat && git log --oneline -5
cat tsconfig.json 2>/dev/null; cat biome.json 2>/dev/null
head -50 src/a.ts; tail -20 src/a.ts
git log --oneline -1 && git status --short
grep -rn "foo" src | grep -v test | head -20
grep -rn foo src | awk -F: '{print $1}' | sort | uniq -c | sort -rn | head
find . -name '*.ts' -not -path '*/node_modules/*' | xargs wc -l | sort -n | tail -20
ps aux --sort=-%cpu | head -10
cat /proc/cpuinfo | head
cat /proc/meminfo
`
  .split("\n")
  .map((line) => line.replaceAll("¶", "\n"))
  .filter((line) => line.trim() !== "");
