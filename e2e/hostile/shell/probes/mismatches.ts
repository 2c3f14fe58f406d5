/** Texts that bash or a program reads differently from a simple parser: quotes, here-documents, patterns, descriptors, lists. */
export const MISMATCHES = String.raw`
echo "${"$"}{x:-'}" ; touch pwned; echo "'}"
echo "${"$"}{x:+'}" ; touch pwned; echo "'}"
echo "${"$"}{x-'}" ; ./canary; echo "'}"
echo "a${"$"}{x:-it's}b" ; touch pwned; echo "it's}"
cat <<E¶${"$"}{x:-'}¶E¶touch pwned¶cat <<E¶'}¶E
cat <<EOF¶foo\¶EOF¶echo '¶EOF¶touch pwned¶echo '
cat <<-EOF¶	foo\¶	EOF¶echo '¶EOF¶touch pwned¶echo '
cat <<EOF¶EO\¶F¶touch pwned¶echo '¶EOF¶'
cat <<$'EOF'¶a¶EOF¶touch pwned
ls {PATH}</dev/null; ls
ls {PATH}<a.txt; cat a.txt
cat {PATH}<a.txt && ls
echo hacked 3< a.txt > /dev/fd/3
echo hacked < a.txt > /dev/fd/0
echo hacked 2< a.txt > /dev/stderr
echo hacked 1< a.txt 2> /dev/stdout
echo hacked < a.txt 2>&0 > /dev/stderr
exec 2< a.txt; echo hacked > /dev/stderr
{ echo hacked > /dev/stderr; } 2< a.txt
echo hacked 1<&0 2> /dev/stdout < a.txt
cat a.txt 1<>b.txt
bash -c 'echo $(($1))' x 'a[$(touch pwned)]'
bash -c 'echo $(( $1 + 1 ))' x 'a[$(./canary)]'
bash -c 'echo "$(($1))"' x 'a[$(touch pwned)]'
bash -c 'echo $(($@))' x 'a[$(touch pwned)]'
bash -c 'x=a.txt; for x; do cat "$x"; done' _ ../.netrc
for v in show delete; do git reflog $v HEAD@{0}; done
for v in exists delete; do git reflog "$v" HEAD@{0}; done
for d in passwd shadow; do getent $d; done
for f in a.txt '+!./canary'; do less "$f"; done
for s in 'a\' 'w pwned'; do sed "$s" a.txt; done
for s in p 'w pwned'; do sed "$s" a.txt; done
for f in %h '%G?'; do git log --format="$f"; done
for p in 1 'BEGIN{system("./canary")}'; do awk "$p" a.txt; done
for f in a.txt localhost:a.txt; do tar -tf "$f"; done
for c in status gc; do git "$c"; done
printf 'x%ln' PATH; ls
printf 'xxxxxxxxxx%hhn' PATH; ls
printf 'xxxxxxxxxx%*n' 1 PATH; ls
cat ../.[[:alpha:]]etrc
cat ../.[]n]etrc
cat ../.[!]a]etrc
cat ../.[[:lower:]]et??
head ../.[[.n.]]etrc
grep -h . ../.[[:alnum:]]etrc
shopt -s nocaseglob; cat ../.NETR*
shopt -s nocaseglob; cat ~/.SS?/ID_RS*
shopt -s globstar dotglob; cat ../other/**/.env
cat ../other/*/*/*/*/*/.env
shopt -s globstar; cat ../other/**/.env
for f in ../.[[:alpha:]]etrc; do cat "$f"; done
grep -rh . up
grep -rh . up/
grep -Rh . .
grep -Rh hostile sub
rg --hidden . up
diff -r up sub
find up/ -maxdepth 1 -type f -exec cat {} +
find up/ -maxdepth 1 -name .netrc | xargs cat
find -L . -maxdepth 2 -name .netrc -exec cat {} +
find -H up -maxdepth 1 -name .netrc -exec cat {} +
cat up/.netrc
cd up && cat .netrc
cd up; grep -rh . .
git diff --no-index up/.ssh sub
git diff --no-index up sub
git grep --no-index -h hostile up
echo -e '..\x2f.netrc' | xargs cat
cat $(echo -e '\x2e\x2e/.net\x72c')
cat $(echo -ne '\056\056/.ssh/id\x5frsa')
echo '../.net\rc' | xargs cat
echo "../.net''rc" | xargs cat
echo '"../.ne"trc' | xargs cat
echo ../.netrcx | head -c 9 | xargs cat
cat $(echo ../.netrcx | head -c9)
echo x../.netrc | grep --only-matching '\.\./.*' | xargs cat
echo x/../.netrc | tail -c 10 | xargs cat
cat $(git show --name-only)
git show --name-only | xargs cat
cat $(git rev-parse link)
cat $(git rev-parse sub/keys/id_rsa)
git rev-parse link | xargs cat
REPLY=a.txt; read <<< ../.netrc; cat $REPLY
REPLY=a.txt; read -r < list.txt; cat "$REPLY"
REPLY=a.txt; select x in a; do cat $REPLY; break; done <<< ../.netrc
_=a.txt; echo ../.netrc; cat $_
echo ../.netrc; cat $_
echo ../.netrc; cat "$_"
: ../.netrc; cat "$_"
cd ..; cd repository; cat $OLDPWD/.netrc
cd sub; cd ..; cd ..; cd repository; cat "$OLDPWD/.netrc"
sed $x 'w pwned' a.txt; x=p
x=p; unset x; sed $x 'w pwned' a.txt
if false; then x=p; fi; sed $x 'w pwned' a.txt
false && x=p; sed $x 'w pwned' a.txt
(x=p); sed $x 'w pwned' a.txt
x=p true; sed $x 'w pwned' a.txt
x=p | true; sed $x 'w pwned' a.txt
x=p & sed $x 'w pwned' a.txt
echo p | read x; sed $x 'w pwned' a.txt
select x in p; do break; done < /dev/null; sed $x 'w pwned' a.txt
while false; do x=p; done; sed $x 'w pwned' a.txt
cat "${"$"}{x}link"; x=n
cat $x'link'; x=n
true || x=n; cat "${"$"}{x}link"
x=n; unset x; cat "${"$"}{x}link"
strings @list.txt
nm @list.txt
size @list.txt
readelf -a @list.txt
strings -a @list.txt
nm @nm-options
file -m magic link
file -m magic -f list.txt
file -b -m magic sub/keys/id_rsa
tree --fromfile link
tar -tf archive.tar -T tar-list
tar -tf archive.tar --files-from=tar-list
git config -f include.cfg --includes -l
git config --includes --file include.cfg --list
git config --includes --file=include.cfg --get pypi.password
yq e 'load("../.docker/config.json")'
yq eval -n 'load_str("../.netrc")'
lsof -i@127.0.0.1
tsc --noEmit --incremental false
cd linked-head.git && git status
cd linked-head.git && git diff
git -C linked-head.git status
git --git-dir=linked-head.git status
cd redirected && git status
git -C redirected diff
git -C lfs status
git -C lfs diff
git -C deep status
git log --diff-merges=remerge -p
git diff
git status
git describe --always --dirty
git diff --stat
npm ls
npm config list
npm --version
npm root
npm query '*'
`;
