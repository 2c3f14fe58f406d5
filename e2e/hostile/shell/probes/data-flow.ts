/** Expansions that become options, programs or several arguments of a program that reads. */
export const DATA_FLOW = String.raw`
sort *
sort -*
sort ?ofile
sort [-]ofile
sort *file
sort ./a.txt *
rg one *
git log *
git diff *
git log --output*
git show *pwned
sed -n p *
less *
tree *
file *
sort $(echo -opwned) a.txt
sort ¤echo -opwned¤ a.txt
sort $(printf %s -opwned) a.txt
sort $(cat list.txt)
sort $(ls)
sort $(head -1 touch.txt)
x=-opwned; sort $x a.txt
x='-o pwned'; sort $x a.txt
x=-o; y=pwned; sort $x $y a.txt
x=-o; sort "$x" pwned a.txt
x=o; sort -$x pwned a.txt
x=output; sort --$x=pwned a.txt
for x in a.txt -opwned; do sort $x a.txt; done
for x in -opwned; do sort "$x" a.txt; done
for f in *; do sort "$f"; done
for f in *; do sort $f; done
ls | while read f; do sort $f; done
ls | while read -r f; do git log $f; done
read x < touch.txt; sort -o $x a.txt
sort {a.txt,-opwned}
sort {-opwned,a.txt}
sort a.txt{,' -opwned'}
sort -{o,}pwned a.txt
sort {'-opwned',a.txt}
sort {"a b",-opwned} a.txt
sort ${"$"}{x:--opwned} a.txt
sort ${"$"}{x-'-opwned'} a.txt
sort "${"$"}{x:--opwned}" a.txt
set -- -opwned a.txt; sort $@
set -- -opwned a.txt; sort "$@"
set -- -opwned; sort $1 a.txt
sort "-o" pwned a.txt
sort '-o' pwned a.txt
sort -"o" pwned a.txt
sort -''opwned a.txt
sort ""-opwned a.txt
sort \-opwned a.txt
sort -\opwned a.txt
sort $'-o' pwned a.txt
sort $'-opwned' a.txt
sort $'\x2dopwned' a.txt
sort $'\055opwned' a.txt
sort $'\u002dopwned' a.txt
sort $'\055\157pwned' a.txt
sort $"-opwned" a.txt
sort --"output"=pwned a.txt
sort --out'put'=pwned a.txt
sort --output"="pwned a.txt
sort --output=$PWD/pwned a.txt
sort "--output=$PWD/pwned" a.txt
sort --output=~/repository/pwned a.txt
sort -k1 -t, -opwned a.txt
sort -t -opwned a.txt -o pwned
sort -bdfgo pwned a.txt
sort -ropwned a.txt
sort -rn -u -opwned a.txt
sort a.txt -- -o pwned -opwned > pwned
git log $(echo --output=pwned)
git log "$(echo --output=pwned)"
x=--output=pwned; git log $x
x=--output=pwned; git log "$x"
git log ${"$"}{x:---output=pwned}
git log --outp''ut=pwned
git log --"output"=pwned
git log $'--output=pwned'
git {log,--output=pwned}
git log {-1,--output=pwned}
git $(echo gc)
git "$x" status
x=gc; git $x
x=push; git $x .
x=-C; git $x nested status
x='-C nested'; git $x status
x='-c core.fsmonitor=./canary'; git $x status
x=core.fsmonitor=./canary; git -c $x status
x=core.fsmonitor=./canary; git -c "$x" status
find . $(echo -delete)
find . "$(echo -delete)"
x=-delete; find . $x
x=-delete; find . "$x"
x='-exec ./canary ;'; find . $x
find . -name a.txt ${"$"}{x:--delete}
find . {-name,-delete}
find {.,-delete}
find *
find . -name *
find . -name a* *
find . -newer * 
find $'.' $'-delete'
find . -de''lete
find . '-delete'
find . "-delete"
find . \-delete
find . -exec ./can''ary \;
find . -exec $'./canary' \;
find . -exec $(echo ./canary) \;
x=./canary; find . -exec $x \;
sed $(echo -i) s/one/two/ a.txt
x=-i; sed $x s/one/two/ a.txt
x='w pwned'; sed "$x" a.txt
x='1e ./canary'; sed "$x" a.txt
sed "1e ./canary" a.txt
sed $'1e ./canary' a.txt
sed 1e\ ./canary a.txt
sed "$(cat evil.sed)" a.txt
sed -e p -e "$(cat evil.sed)" a.txt
sed "${"$"}{x:-w pwned}" a.txt
sed {-n,-i} p a.txt
sed -{n,i} p a.txt
x='BEGIN{system("./canary")}'; awk "$x"
awk "$(cat evil.awk)"
awk "BEGIN{system(\"./canary\")}"
awk $'BEGIN{system("./canary")}'
awk 'BEGIN{sys''tem("./canary")}'
awk 'BEGIN{printf "x" > "'pwned'"}'
awk -v"x=1" 'BEGIN{print > "pwned"}'
awk '{print}' a.txt > pwned
x=touch; echo pwned | xargs $x
echo pwned | xargs "touch"
echo pwned | xargs $'touch'
echo pwned | xargs $(echo touch)
echo -opwned a.txt | xargs sort
echo --output=pwned | xargs git log
printf -- '-opwned\na.txt\n' | xargs sort
echo pwned | xargs -I{} sort -o{} a.txt
echo pwned | xargs -I% sort -o % a.txt
echo -delete | xargs find .
echo ./canary | xargs env
echo 'touch pwned' | xargs -0 sh -c
echo 'touch pwned' | bash
printf 'touch pwned' | sh
cat evil.sh | sh
cat evil.sh | bash -s
sh < evil.sh
bash <(cat evil.sh)
bash <<< "$(cat evil.sh)"
$(cat evil.sh)
"$(cat touch.txt)"
¤cat evil.sh¤
eval "$(cat evil.sh)"
eval $(cat evil.sh)
. <(echo 'touch pwned')
source /dev/stdin < evil.sh
x=$(cat evil.sh); $x
x='touch pwned'; $x
x=(touch pwned); "${"$"}{x[@]}"
declare x='touch pwned'; $x
read x < evil.sh; $x
x=touch; y=pwned; "$x" "$y"
`.replaceAll("¤", "`");
