/** Programs that write, delete, run something or use the network, and options of reading programs that do. `PORT` is a canary port. */
export const PROGRAMS = String.raw`
touch pwned
mkdir pwned
rm a.txt
rm -rf sub
rmdir sub
unlink a.txt
mv a.txt pwned
cp a.txt pwned
ln -s a.txt pwned
ln a.txt pwned
install a.txt pwned
truncate -s 0 a.txt
tee pwned < a.txt
dd if=a.txt of=pwned
mkfifo pwned
mknod pwned p
split a.txt pwned
csplit a.txt 2
shred a.txt
chmod 777 a.txt
chmod +x a.txt
chown 1:1 a.txt
chgrp 1 a.txt
touch -d 2000-01-01 a.txt
setfacl -m u:1:r a.txt
chattr +i a.txt
patch -p0 < list.txt
ed -s a.txt
ex -sc 'x' a.txt
vi -es -c '!./canary' -c q a.txt
vim -es -c '!./canary' -c q a.txt
rsync a.txt pwned
scp a.txt pwned
tar cf pwned a.txt
tar -cf pwned a.txt
tar xf a.txt
tar -tf a.txt --to-command=./canary
tar -tf a.txt --to-comm=./canary
tar --list -f a.txt --use-compress-program=./canary
tar --list -f a.txt --use-comp ./canary
tar -tf a.txt -I ./canary
tar -tI./canary -f a.txt
tar tIf ./canary a.txt
tar -tf a.txt --checkpoint=1 --checkpoint-action=exec=./canary
tar -tf a.txt -F ./canary
tar -tf a.txt --info-script=./canary
tar -tf localhost:a.txt --rsh-command=./canary
tar tf localhost:a.txt
tar -tvf a.txt --index-file=pwned
zip pwned a.txt
unzip a.txt
gzip a.txt
gzip -k a.txt
bzip2 a.txt
xz a.txt
zcat -S .txt a.txt > pwned
sed -i s/one/two/ a.txt
sed -i.bak s/one/two/ a.txt
sed -ni p a.txt
sed -Ei p a.txt
sed --in-place s/one/two/ a.txt
sed --in-pl s/one/two/ a.txt
sed --in=.bak p a.txt
sed -e'1e ./canary' a.txt
sed -e '1e ./canary' a.txt
sed '1e ./canary' a.txt
sed 1e./canary a.txt
sed -n '1{e ./canary¶}' a.txt
sed --expression='1e ./canary' a.txt
sed --expr '1e ./canary' a.txt
sed 's/one/.\/canary/e' a.txt
sed 's/one/.\/canary/ge' a.txt
sed 's|one|./canary|e' a.txt
sed 'w pwned' a.txt
sed -n '/one/w pwned' a.txt
sed 's/one/two/w pwned' a.txt
sed 's/one/two/gw pwned' a.txt
sed -f evil.sed a.txt
sed -fevil.sed a.txt
sed --file=evil.sed a.txt
sed --fil evil.sed a.txt
sed -n -e p -e 'w pwned' a.txt
sed 'y/a/b/;w pwned' a.txt
sed 'p;w pwned' a.txt
sed $'p\nw pwned' a.txt
sed '1!W pwned' a.txt
sed '/[/]/w pwned' a.txt
sed 's/[/]/x/w pwned' a.txt
sed 's,[,],x,w pwned' a.txt
sed '\,one,w pwned' a.txt
sed -s -n 'w pwned' a.txt
sed --posix -e 'w pwned' a.txt
awk 'BEGIN{system("./canary")}'
awk 'BEGIN{system ("touch pwned")}'
awk '{print > "pwned"}' a.txt
awk '{print >> "pwned"}' a.txt
awk '{print|"./canary"}' a.txt
awk '{printf "%s", $0 > "pwned"}' a.txt
awk 'BEGIN{"./canary"|getline x; print x}'
awk 'BEGIN{while(("./canary"|getline x)>0)print x}'
awk -f evil.awk
awk -fevil.awk
awk 'BEGIN { if (1) /"/; print "x" > "pwned"; /"/ }'
awk 'BEGIN { print "a",¶"b" > "pwned" }'
awk 'BEGIN { print("a")("b") > "pwned" }'
awk 'BEGIN { x=1; x++ / 2; print 1 > "pwned" / 1 }'
awk '@load "x"; BEGIN{}'
awk 'function f(){system("./canary")} BEGIN{f()}'
awk -v x='./canary' 'BEGIN{system(x)}'
awk -v 'x=1' '{print $1 > "pwned"}' a.txt
mawk 'BEGIN{system("./canary")}'
mawk -W exec evil.awk
find . -delete
find . -name a.txt -delete
find sub -type f -delete
find . -exec ./canary {} \;
find . -maxdepth 0 -exec touch pwned \;
find . -maxdepth 0 -execdir touch pwned \;
find . -maxdepth 0 -exec touch pwned {} +
find . -maxdepth 0 -ok ./canary \;
find . -maxdepth 0 -okdir ./canary \;
find . -fprint pwned
find . -fprint0 pwned
find . -fprintf pwned %p
find . -fls pwned
find . -maxdepth 0 -exec sh -c 'touch pwned' \;
find . -maxdepth 0 -exec env touch pwned \;
find . -name a.txt -exec sort -o pwned {} +
find . -name a.txt -exec sed -i p {} +
find . -name canary -exec {} \;
find . -maxdepth 0 -exec sort + -o pwned a.txt \;
find . -maxdepth 0 -exec sort a.txt + -o pwned \;
echo ./canary | xargs --replace=ls ls
echo touch | xargs --replace=ls ls pwned
tar tfv localhost:a.txt
find . -maxdepth 0 -exec xargs touch \;
find . -newermt 2000-01-01 -delete
find . -name a.txt -a -delete
find -O3 . -delete
find -L . -delete
find . \( -name a.txt -delete \)
xargs touch < touch.txt
xargs -a touch.txt touch
xargs -I{} touch {} < touch.txt
xargs -n1 touch < touch.txt
xargs --arg-file=touch.txt touch
xargs --process-slot-var=X touch < touch.txt
xargs --process-slot-var cat touch < touch.txt
xargs -P2 touch < touch.txt
echo pwned | xargs touch
echo pwned | xargs -I% touch %
echo touch pwned | xargs env
echo ./canary | xargs -I{} sh -c {}
echo x | xargs ./canary
ls | xargs sort
ls | xargs sed p
sort -o pwned a.txt
sort -opwned a.txt
sort -uopwned a.txt
sort a.txt -o pwned
sort --output=pwned a.txt
sort --output pwned a.txt
sort --outp=pwned a.txt
sort --o=pwned a.txt
sort -S 1 --compress-program=./canary a.txt
sort --compress-prog=./canary a.txt
sort --co=./canary a.txt
sort -T . a.txt -S 1b
uniq a.txt pwned
uniq -c a.txt pwned
uniq - pwned < a.txt
tree -o pwned
tree -opwned
tree -aopwned
tree -L 1 -R -H . -o pwned
xxd -r a.txt pwned
xxd a.txt pwned
xxd -p a.txt pwned
base64 -o pwned a.txt
file -C -m a.txt
file -Cm a.txt
file --compile -m a.txt
less -opwned a.txt
less -o pwned a.txt
less -Opwned a.txt
less --log-file=pwned a.txt
less --lesskey-src=lesskey.src a.txt
less --lesskey-s=lesskey.src a.txt
less -k lesskey.src a.txt
less '+!./canary' a.txt
more '+!./canary' a.txt
diff -l a.txt b.txt
diff --paginate a.txt b.txt
rg --pre ./canary one
rg --pre=./canary one
rg one --pre ./canary
rg --hostname-bin=./canary one
rg --hostname-bin ./canary --hyperlink-format 'x{host}' one
rg -z one
fd -x ./canary
fd . -X ./canary
fd --exec ./canary
fdfind a -x ./canary
jq -n --rawfile x ../.netrc '$x'
jq -n --slurpfile x ../.netrc '$x'
jq -f evil.jq a.txt
jq --from-file evil.jq a.txt
jq -L . -n 'include "x"; .'
yq -i '.name = "y"' package.json
date -s 2020-01-01
date --set=2020-01-01
date --se 2020-01-01
date 010100002020
hostname pwned
hostname -F a.txt
hostname -b pwned
node -e 'require("fs").writeFileSync("pwned","")'
node --eval 'require("fs").writeFileSync("pwned","")'
node -p 'require("fs").writeFileSync("pwned","")'
node -r ./canary --version
node --version -e 'require("fs").writeFileSync("pwned","")'
node a.txt
python3 -c 'open("pwned","w")'
python3 -m compileall .
python3 evil.sh
perl -e 'open(F,">pwned")'
perl -pi -e s/one/two/ a.txt
ruby -e 'File.write("pwned","")'
php -r 'touch("pwned");'
bash evil.sh
sh evil.sh
bash -c 'touch pwned'
bash -c 'echo > pwned'
bash -lc 'touch pwned'
bash -ec './canary'
bash --rcfile evil.sh -ic true
bash --init-file evil.sh -i -c true
bash -O extglob -c 'touch pwned'
sh -c ./canary
dash -c 'touch pwned'
zsh -c 'touch pwned'
. ./evil.sh
source evil.sh
source ./evil.sh x
eval 'touch pwned'
eval touch pwned
exec ./canary
exec touch pwned
exec 3> pwned
make
make -f Makefile
make SHELL=./canary
npm test
npm run test
npm install
npm exec ./canary
npm ls --script-shell=./canary
npm --script-shell ./canary ls
npm config set x y
npm pkg set name=y
npm view x --registry=http://127.0.0.1:PORT
npm ping --registry http://127.0.0.1:PORT
npx ./canary
yarn --version
pnpm --version
cargo --version
rustc --version
mvn --version
go env -w X=y
pip install x
tsc -p .
tsc --noEmit -p .
curl http://127.0.0.1:PORT/
curl -so pwned http://127.0.0.1:PORT/
wget http://127.0.0.1:PORT/
nc 127.0.0.1 PORT
telnet 127.0.0.1 PORT
ssh -p PORT 127.0.0.1
ping -c1 127.0.0.1
openssl s_client -connect 127.0.0.1:PORT
getent hosts localhost
git ls-remote http://127.0.0.1:PORT/x
git fetch http://127.0.0.1:PORT/x
git clone http://127.0.0.1:PORT/x
cat < /dev/tcp/127.0.0.1/PORT
echo x > /dev/tcp/127.0.0.1/PORT
cat </dev/udp/127.0.0.1/PORT
exec 5<>/dev/tcp/127.0.0.1/PORT
cat < "/dev/tcp/127.0.0.1/PORT"
x=tcp; cat < /dev/$x/127.0.0.1/PORT
head -c 5 /dev/tcp/127.0.0.1/PORT < /dev/tcp/127.0.0.1/PORT
kill 1
kill -9 -1
pkill node
killall node
crontab list.txt
at now < evil.sh
systemctl start x
mount -o remount,rw /
ip link set lo down
sysctl -w x=y
script -c ./canary
script -qc 'touch pwned' /dev/null
busybox touch pwned
busybox sh -c 'touch pwned'
busybox sort -o pwned a.txt
env touch pwned
env ./canary
env -i touch pwned
env -u X touch pwned
env --unset cat touch pwned
env --unset=cat touch pwned
env --uns cat touch pwned
env -S 'touch pwned'
env --split-string='touch pwned'
env --split='touch pwned'
env -C sub touch pwned
env - touch pwned
command touch pwned
command -p touch pwned
command touch pwned -v
command -- touch pwned -V
builtin eval 'touch pwned'
builtin source ./evil.sh
nice touch pwned
nice -n 5 touch pwned
nice -5 ./canary
nohup touch pwned
timeout 5 touch pwned
timeout -k 1 5 touch pwned
timeout --signal KILL 5 touch pwned
stdbuf -oL touch pwned
setsid touch pwned
setsid -w touch pwned
ionice -c 3 touch pwned
/usr/bin/time -o pwned true
/usr/bin/time touch pwned
time touch pwned
time -o pwned true
watch -n1 touch pwned
strace touch pwned
flock a.txt touch pwned
chroot / touch pwned
unshare touch pwned
taskset 1 touch pwned
sudo touch pwned
doas touch pwned
su -c 'touch pwned'
parallel touch ::: pwned
expect -c 'exec touch pwned'
m4 evil.sh
man -P ./canary ls
gdb -batch -ex 'shell ./canary'
sqlite3 pwned 'create table t(x)'
sqlite3 :memory: '.shell ./canary'
nm --plugin ./canary a.txt
ldd ./canary
ld.so ./canary
/lib64/ld-linux-x86-64.so.2 ./canary
lsof -D b
column -o pwned a.txt > pwned
git-shell -c x
dpkg --root=. -i a.txt
apt -o Dpkg::Pre-Invoke::=./canary list
apt install x
ps -ef > pwned
`;
