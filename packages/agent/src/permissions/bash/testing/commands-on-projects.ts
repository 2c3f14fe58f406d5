/** Commands that look at repositories, packages and the machine, and combinations. One command a line. */
export const COMMANDS_ON_PROJECTS = `
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
`;
