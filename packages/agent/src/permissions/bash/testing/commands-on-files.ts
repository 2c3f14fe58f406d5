/** Commands that list, search and show files and text. One command a line. */
export const COMMANDS_ON_FILES = String.raw`
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
`;
