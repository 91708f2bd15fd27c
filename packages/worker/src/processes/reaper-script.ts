/**
 * The reaper, in POSIX sh. `$1` is the tag, `$2` the folder of its FIFOs, `$3` the folder of the
 * processes, `$4` the bytes of a preview, the rest are the FIFOs.
 *
 * Ending is TERM, 0.4 seconds, KILL; then the tag is looked for until no process carries it,
 * because one can fork while it is looked for. A process without a receipt was ended by that:
 * `session_closed`. `unknown` stands in its place only if it was not contained (else it is gone with
 * its namespace) and something that could be its offspring cannot be looked at: started since, by the
 * same user or in one of the groups, with an environment that may not be read.
 */
export const SCRIPT = `
trap '' INT TERM HUP
tag=$1 folder=$2 records=$3 preview=$4
shift 4
if mkfifo -m 600 "$@" 2>/dev/null; then echo fifos; else echo pipes; fi

groups= begun=
without() {
  kept= gone=$1
  shift
  for each in "$@"; do [ "\${each%%:*}" = "$gone" ] || kept="$kept $each"; done
}
while IFS= read -r line; do
  case $line in
    +*) groups="$groups \${line#+}" ;;
    -*) without "\${line#-}" $groups; groups=$kept ;;
    b*) begun="$begun \${line#b}" ;;
    f*) without "\${line#f}" $begun; begun=$kept ;;
    m*)
      rm -f "\${line#m}"
      mkfifo -m 600 "\${line#m}" 2>/dev/null
      echo made
      ;;
  esac
done
exec 2>/dev/null

for group in $groups; do kill -TERM "-$group"; done
tries=0
while [ $tries -lt 8 ]; do
  alive=
  for group in $groups; do kill -0 "-$group" && alive=1; done
  [ -z "$alive" ] && break
  sleep 0.05
  tries=$((tries + 1))
done
for group in $groups; do kill -KILL "-$group"; done

rounds=0
while [ -d /proc/self ] && [ $rounds -lt 20 ]; do
  found=
  for file in $(grep -lzxF "HARNESS_SESSION=$tag" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" && found=1
  done
  [ -z "$found" ] && break
  rounds=$((rounds + 1))
done

[ -n "$begun" ] || exec rm -rf "$folder"
rm -rf "$folder"

# Fields of /proc/<pid>/stat: the group is the 3rd after the name, the start the 20th.
look() {
  IFS= read -r stat < "/proc/$1/stat" || return 1
  set -- \${stat##*) }
  group=$3 start=\${20}
}
own=$(id -u)
suspicious() {
  look "$1" && [ "$start" -ge "$born" ] || return 1
  case " $groups " in *" $group "*) return 0 ;; esac
  while read -r key real rest; do
    [ "$key" = Uid: ] && { [ "$real" = "$own" ]; return; }
  done < "/proc/$1/status"
  return 1
}
unsure=
if look $$; then
  born=$start
  for line in $(grep -czF x /proc/[0-9]*/environ 2>&1 >/dev/null | grep -o '/proc/[0-9]*/environ: Permission'); do
    pid=\${line#/proc/}
    case $pid in */environ:) suspicious "\${pid%/environ:}" && unsure=1 ;; esac
  done
else
  unsure=1
fi

now=$(date +%s)
for each in $begun; do
  id=\${each%%:*} rest=\${each#*:}
  place=$records/$id
  [ -f "$place/output" ] && [ ! -e "$place/receipt.json" ] || continue
  status=session_closed
  [ -n "$unsure" ] && [ -z "\${rest#*:}" ] && status=unknown
  bytes=$(($(wc -c < "$place/output")))
  hash=$({ command -v sha256sum >&3 && sha256sum || shasum -a 256; } 3>/dev/null < "$place/output")
  truncated=false
  [ $bytes -gt $preview ] && truncated=true
  umask 077
  printf '{"id":"%s","status":"%s","exit_code":null,"signal":null,"elapsed_seconds":%d,"output_bytes":%d,"dropped_bytes":0,"output_sha256":"%s","output_id":"output:%s","truncated":%s,"reason":"worker_lost"}\\n' \\
    "$id" "$status" $((now - \${rest%%:*})) $bytes "\${hash%% *}" "$id" $truncated > "$place/.receipt" &&
    mv "$place/.receipt" "$place/receipt.json"
done
`
