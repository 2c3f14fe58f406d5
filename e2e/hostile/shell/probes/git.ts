/** Git commands that change something, and reading ones that a configuration or an option makes run a program. */
export const GIT = String.raw`
git add .
git commit -m x
git commit --allow-empty -m x
git checkout -b x
git checkout -- a.txt
git restore a.txt
git reset --hard
git reset
git stash
git stash push
git clean -fd
git clean -ndf -f
git branch x
git branch -f x
git branch -m x
git branch -d main
git branch --edit-description
git branch -u x
git tag x
git tag -a x -m x
git tag -d x
git notes add -m x
git update-ref refs/heads/x HEAD
git symbolic-ref HEAD refs/heads/x
git symbolic-ref -m x HEAD refs/heads/x
git update-index --chmod=+x a.txt
git update-index --refresh
git rm a.txt
git mv a.txt c.txt
git apply list.txt
git am list.txt
git merge x
git rebase x
git cherry-pick x
git revert HEAD
git worktree add pwned
git worktree prune
git submodule foreach 'touch pwned'
git submodule add ./nested x
git config user.name x
git config --add user.name x
git config --unset user.name
git config set user.name x
git config -e
git config core.pager ./canary
git remote add x y
git remote update
git remote show origin
git gc
git prune
git repack
git pack-refs
git fsck --lost-found
git maintenance run
git archive -o pwned HEAD
git archive --output=pwned HEAD
git bundle create pwned HEAD
git format-patch -1
git format-patch -1 -o pwned
git format-patch -1 --stdout --output=pwned
git fast-export HEAD > pwned
git bugreport -o .
git diagnose
git init pwned
git clone . pwned
git fetch .
git pull .
git push
git push . HEAD:refs/heads/x
git ls-remote .
git ls-remote --upload-pack=./canary .
git ls-remote --upload-pack ./canary .
git ls-remote --upl=./canary .
git ls-remote --exec=./canary .
git ls-remote 'ext::./canary'
git -c protocol.ext.allow=always ls-remote 'ext::./canary'
git fetch-pack --exec=./canary . HEAD
git remote-ext x ./canary
git log --output=pwned
git log --output pwned
git log --outp=pwned
git log -p --output=pwned
git diff --output=pwned
git diff --output pwned
git diff --outpu=pwned
git diff --no-index --output=pwned a.txt b.txt
git show --output=pwned
git stash list --output=pwned
git reflog --output=pwned
git rev-list HEAD --output=pwned
git diff-tree --output=pwned -p HEAD
git diff-index --output=pwned -p HEAD
git diff-files -p --output=pwned
git range-diff --output=pwned HEAD HEAD HEAD
git whatchanged --output=pwned
git shortlog HEAD --output=pwned
git blame --output=pwned a.txt
git grep -O./canary one
git grep -O ./canary one
git grep --open-files-in-pager=./canary one
git grep --ope=./canary one
git grep --open-files=./canary one
git grep --no-index -O./canary one
git grep -lO./canary one
git grep -nO./canary one
git -p log
git --paginate log
git --pagi log
git -c core.pager=./canary -p log
git -c core.pager=./canary log
git -ccore.pager=./canary log
git -c core.fsmonitor=./canary status
git -c core.fsmonitor=true status
git -c diff.external=./canary diff
git -c diff.evil.textconv=./canary diff
git -c core.editor=./canary commit
git -c core.sshCommand=./canary ls-remote x:y
git -c core.hooksPath=. status
git -c alias.status='!./canary' status
git -c alias.x='!./canary' x
git -c alias.x='!touch pwned' x
git -c pager.status=./canary status
git -c gpg.program=./canary log --show-signature
git -c gpg.program=./canary log --format=%G?
git -c log.showSignature=true -c gpg.program=./canary log
git -c core.attributesFile=list.txt diff
git -c filter.evil.clean=./canary status
git -c include.path=$PWD/gitconfig status
git -c core.worktree=.. status
git -c uploadpack.packObjectsHook=./canary fetch .
git -c credential.helper='!./canary' credential fill
git --config-env=core.fsmonitor=SHELL status
git --config-env core.fsmonitor=SHELL status
git --exec-path=. status
git --exec-path=$PWD x
git --git-dir=bare.git status
git --git-dir=bare.git --work-tree=bare status
git --git-dir bare.git status
git --work-tree=.. status
git --git-dir=bare.git diff
git --git-dir=bare.git ls-files -m
git -C bare.git status
git -C nested status
git -C nested diff
git -C nested ls-files -m
git -C nested describe --dirty --always
git -C ./nested status -s
git -C "nested" status
git -C nes* status
git -C textconv diff
git -C textconv log -p
git -C textconv show
git -C textconv diff HEAD
git -C textconv diff --ext-diff
git -C textconv show --textconv HEAD:f.txt
git -C textconv cat-file --textconv HEAD:f.txt
git -C textconv blame f.txt
git -C textconv grep x
git -C textconv grep --textconv x
git -C filtered status
git -C filtered diff
git -C filtered cat-file --filters HEAD:f.txt
git -C filtered -p log
git -C filtered ls-files -m
git -C sub -C ../nested status
git -C . -C nested status
cd nested && git status
cd into && git status
git -C into status
git -C into diff
cd into/.. && git status
cd nested; git status
cd nested && git diff
cd nested && cd . && git status
cd ./nes* && git status
cd textconv && git log -p
cd textconv && git diff
cd filtered && git status
cd filtered && git diff
cd bare.git && git status
cd bare.git; git diff
cd bare.git && git --work-tree=../bare status
cd bare.git/refs && git status
(cd nested && git status)
pushd nested && git status
cd "$PWD/nested" && git status
x=nested; cd $x && git status
x=nested; git -C $x status
d=$(echo nested); git -C "$d" status
for d in nested; do git -C $d status; done
for d in nested textconv; do (cd $d; git diff); done
env -C nested git status
env -C textconv git diff
find nested -maxdepth 0 -execdir git -C nested status \;
find nested -maxdepth 0 -exec git -C {} status \;
echo nested | xargs -I{} git -C {} status
bash -c 'cd nested; git status'
git unknown
git canary
git st
git help log
git help -w log
git web--browse x
git instaweb
git difftool -y -x ./canary
git difftool --extcmd=./canary -y
git mergetool
git bisect run ./canary
git bisect start
git filter-branch x
git rebase --exec ./canary HEAD
git send-email x
git daemon
git http-backend
git shell
git sh-setup
git var GIT_EDITOR -l > pwned
git rev-parse --parseopt -- x < evil.sh > pwned
git show HEAD:a.txt > pwned
git log | tee pwned
git diff > pwned
git diff | git apply
git show | sh
git log --format='%x00' > pwned
git status > pwned
GIT_DIR=nested/.git git status
GIT_WORK_TREE=.. git status
`;
