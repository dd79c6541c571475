# Shell words for the setups of the cases. conftest.py runs each setup in an empty folder:
#   bash -euc '. lib.sh; <setup>'
# Only mem() knows what a valid entry looks like.
S='<!-- AGENT_MEMORY_START -->'; E='<!-- AGENT_MEMORY_END -->'

repo(){ git init -q -b main "${1:-.}"; }                     # a new repository
commit(){ git add -A; git commit -qm "${1:-c}"; }
block(){ printf '%s\n%s\n%s\n' "$S" "${1:-old}" "$E"; }      # a block with one line in it

mem(){ # mem FILE ID CATEGORY TEXT [SOURCE...]: memories/CATEGORY/FILE, valid, not staged.
       # IMPORTANCE and BLOB may stand before the call. A source gets the blob id it has; without sources
       # the entry gets a review date far off.
  local f="memories/$3/$1" id=$2 c=$3 t=$4 s b; shift 4; mkdir -p "$(dirname "$f")"
  { printf 'schema: 1\nid: "%s"\ncategory: %s\ntext: |\n' "$id" "$c"; printf '%s\n' "$t" | sed 's/^/  /'
    printf 'importance: %s\n' "${IMPORTANCE:-5}"
    if [ $# -gt 0 ]; then
      echo 'sources:'
      for s in "$@"; do
        printf '  - path: "%s"\n' "$s"; b=${BLOB:-}
        case $s in /*|../*) ;; *) if [ -z "$b" ] && [ -f "$s" ]; then b=$(git hash-object -- "$s"); fi ;; esac
        if [ -n "$b" ]; then printf '    blob: "%s"\n' "$b"; fi
      done
    else echo "review_by: '2099-12-31'"; fi; } >"$f"; }
raw(){ # raw FILE BYTES: memories/convention/FILE with these bytes (escapes of printf)
  mkdir -p memories/convention; printf '%b' "$2" >"memories/convention/$1"; }
base(){ # one memory and a CLAUDE.md with a block, committed
  repo; mem a.yaml a convention 'Run pytest with -q.'; { echo '# Project'; echo 'top'; block; echo 'USER TAIL'; } >CLAUDE.md; commit base; }
hook(){ # hook EVENT TRANSCRIPT [JSON]: hook.json, what an agent sends to a hook
  printf '{"session_id":"s1","transcript_path":"%s","cwd":"%s","hook_event_name":"%s"%s}\n' "$2" "$PWD" "$1" "${3:-}" >hook.json; }
say(){ # say ROLE TEXT: one line of a transcript, on standard output
  python3 -c 'import json,sys;print(json.dumps({"type":sys.argv[1],"message":{"role":sys.argv[1],"content":[{"type":"text","text":sys.argv[2]}]}}))' "$1" "$2"; }
fake(){ # fake PREFIX LENGTH: a text shaped like a secret, made here so that no file holds one
  python3 -c 'import sys;p,n=sys.argv[1],int(sys.argv[2]);print(p+("aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z"*9)[:n])' "$1" "$2"; }
