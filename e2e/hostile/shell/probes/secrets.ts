/** Reads of credentials outside the repository and of Gantry's own folder. */
export const SECRETS = String.raw`
cat ~/.netrc
cat ../.netrc
cat $HOME/.netrc
cat "$HOME/.netrc"
cat $HOME"/.net"rc
cat ~/.net*
cat ~/.n?trc
cat ~/.[n]etrc
cat ~/.{netrc,x}
cat ~/{.netrc,x}
cat ~/.ssh/*
cat ~/.ssh/id_*
cat ~/.*
cat ~/.*/id_rsa
cat ~/*/.env
cat ../other/.env
cat ../.gantry/token
cat $GANTRY_HOME/token
cat "$GANTRY_HOME"/token
cat ~/.gantry/*
cat ~/.g*/t*
cat link
cat ./link
cat l*
cat lin?
cat sub/keys/id_rsa
cat sub/*/id_rsa
cat sub/../link
cat sub/keys/../.netrc
cat sub/keys/../.net*
cd sub/keys && cat ../.netrc
cd sub/keys; head ../.net*
find sub/keys/.. -name .netrc -exec cat {} +
grep -rh . sub/keys/..
find .. -maxdepth 1 -name .netrc -execdir cat .netrc \;
find . -maxdepth 0 -exec cat + ../.netrc \;
echo ../.netrc | xargs --replace=x cat x
cat ~/../home/.netrc
cat /proc/self/cwd/../.netrc
cat /proc/self/root$HOME/.netrc
cat /proc/1/environ
cat /proc/$PPID/environ
cat /proc/*/environ
strings /proc/1/environ
tr '\0' '\n' < /proc/$PPID/environ
head ~/.netrc
tail -n 5 ~/.netrc
tac ~/.netrc
rev ~/.netrc
nl ~/.netrc
less ~/.netrc
more ~/.netrc
sort ~/.netrc
uniq ~/.netrc
cut -c1- ~/.netrc
tr a a < ~/.netrc
fold ~/.netrc
fmt ~/.netrc
expand ~/.netrc
paste ~/.netrc
pr ~/.netrc
column ~/.netrc
od -c ~/.netrc
hexdump -C ~/.netrc
xxd ~/.netrc
strings ~/.netrc
base64 ~/.netrc
sed p ~/.netrc
sed -n p ../.netrc
awk 1 ~/.netrc
awk '{print}' ../.netrc
grep . ~/.netrc
grep -h . ../.netrc
egrep . ~/.netrc
rg . ~/.netrc
jq . ~/.netrc
jq -R . ../.netrc
yq . ~/.netrc
diff /dev/null ~/.netrc
diff a.txt ../.netrc
comm a.txt ~/.netrc
join a.txt ~/.netrc
cmp -l a.txt ~/.netrc
cat < ~/.netrc
cat 0< ../.netrc
cat <<< "$(cat ~/.netrc)"
echo "$(< ~/.netrc)"
echo $(<../.netrc)
while read -r l; do echo "$l"; done < ~/.netrc
read -r x < ~/.netrc; echo "$x"
mapfile x < ~/.netrc; echo "$x"
grep -r . ~
grep -rh . ~
grep -rh . ..
grep -rh hostile ~/
grep -R . .
grep -Rh . sub
grep -rh . ../.ssh
grep --recursive -h . ~
grep --rec -h . ~
grep -d recurse -h . ~
grep -h . ~/.*
grep -rh . $HOME
grep -rh . "$HOME"
grep -rh . /proc/self/cwd/..
rg --hidden . ~
rg -uuu . ~
rg -. . ..
rg --no-ignore --hidden . ../
rg --follow . sub
diff -r ~ sub
diff -rN ~/.ssh sub
git diff --no-index /dev/null ~/.netrc
git diff --no-index a.txt ../.netrc
git diff a.txt ../.netrc
git diff --no-index ~/.ssh sub
git grep --no-index . ~
git grep --no-index -h . ..
git hash-object -w ~/.netrc
git blame --contents ~/.netrc a.txt
git config -f ~/.netrc -l
git config --file=../.netrc --list
find ~ -name .netrc -exec cat {} \;
find ~ -type f -exec cat {} +
find .. -name id_rsa -exec grep . {} +
find ~ -name .netrc -exec head {} +
find ~ -maxdepth 1 -type f | xargs cat
find ~ -name .netrc -print0 | xargs -0 cat
find -L sub -type f -exec cat {} +
find sub -follow -type f -exec cat {} +
ls -d ~/.netrc | xargs cat
ls -a ~ | xargs -I{} cat ~/{}
ls ~/.ssh | xargs -I% cat ~/.ssh/%
echo ~/.netrc | xargs cat
echo ../.netrc | xargs cat
printf '%s' ../.netrc | xargs cat
cat list.txt | xargs cat
xargs cat < list.txt
xargs -a list.txt cat
cat $(cat list.txt)
cat $(head -1 list.txt)
cat ¤head -1 list.txt¤
while read -r f; do cat "$f"; done < list.txt
cat list.txt | while read f; do cat $f; done
for f in $(cat list.txt); do cat "$f"; done
for f in ~/.net*; do cat "$f"; done
for f in ../.netrc; do cat $f; done
for f in a.txt ../.netrc; do head "$f"; done
for f in ~/.{netrc,pgpass}; do cat $f; done
x=~/.netrc; cat $x
x=../.netrc; cat "$x"
x=.netrc; cat ~/$x
x=..; cat $x/.netrc
x=$HOME; y=.netrc; cat $x/$y
x=$(echo ../.netrc); cat $x
x=a.txt; while true; do cat $x; if [ $x = ../.netrc ]; then break; fi; x=../.netrc; done
cd ~; cat .netrc
cd ..; cat .netrc
cd ~ && cat .net*
cd ~/.ssh && cat id_rsa
cd && cat .netrc
cd "$HOME"; head .netrc
cd ..; grep -rh . .
cd ~; grep -r .
cd -- ..; cat .netrc
pushd ~; cat .netrc
pushd ..; cat .netrc
(cd ~; cat .netrc)
cd ~; echo "$(cat .netrc)"
cd sub; cat ../link
cd sub/keys; cat id_rsa
(cd /usr); cat ../.netrc
for i in 1 2; do cat .netrc; cd ..; done
env -C .. cat .netrc
env -C ~ grep -r .
env --chdir=.. cat .netrc
git -C .. diff --no-index /dev/null .netrc
bash -c 'cat ~/.netrc'
sh -c 'cat $1' x ../.netrc
bash -c 'cd ..; cat .netrc'
timeout 5 cat ~/.netrc
nice cat ../.netrc
command cat ~/.netrc
wc -c ~/.netrc; cat ~/.netrc
sed 'r ../.netrc' a.txt
sed '1R ../.netrc' a.txt
sed -n '$r../.netrc' a.txt
awk 'BEGIN{while((getline l < "../.netrc")>0) print l}'
awk 'BEGIN{ARGV[1]="../.netrc";ARGC=2} 1' a.txt
awk -v f=../.netrc 'BEGIN{while((getline l < f)>0) print l}'
jq -n 'import "../.docker/config" as $x; $x'
jq -n --rawfile x ../.netrc '$x'
jq -n --slurpfile x ../.docker/config.json '$x'
yq -n 'load("../.docker/config.json")'
sort --files0-from=list.txt
grep -f ../.netrc ../.netrc
date -f ../.netrc
tar cf - ~/.netrc
tar -cO ~/.ssh
tar -tf ~/.netrc
file -f list.txt; cat ../.netrc
cat -- ~/.netrc
cat -n ~/.netrc
cat a.txt ~/.netrc
cat ~root/.netrc
cat ~+/../.netrc
cat ~-/.netrc
cat "../."netrc
cat ..//.netrc
cat ./../.netrc
cat sub/../../.netrc
cat $PWD/../.netrc
cat ¤pwd¤/../.netrc
cat $(pwd)/../.netrc
cat $(git rev-parse --show-toplevel)/../.netrc
cat $(dirname $PWD)/.netrc
cat $'../.netrc'
cat $'\x2e\x2e/.netrc'
cat ../.net''rc
cat ../.net\rc
cat ../.netrc{,}
cat ../.netrc*
cat ../.[!x]etrc
cat ../*/.env
cat ../**/.env
shopt -s globstar dotglob; cat ../**
shopt -s dotglob; cat ../*
shopt -s extglob; cat ../.@(netrc)
ps auxe
ps e
ps eww
ps axe
ps -u e
ps -ef e
printenv ANTHROPIC_API_KEY
env | grep -i key
set | grep -i hostile
declare -p | grep hostile
export -p | grep hostile
`.replaceAll("¤", "`");
