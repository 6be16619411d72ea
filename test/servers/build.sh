#!/usr/bin/env bash
# Builds the servers that the tests use, if their toolchains are on the machine. Quick when nothing has changed.
# With the argument s3 it also builds an S3 server, which takes minutes; without one, the bucket tests use only a double.
# The results go to $TEST_SERVERS, by default .build/servers, where the tests look for them (test/support/servers/mongo-servers.ts).
set -euo pipefail
cd "$(dirname "$0")"
out=$(realpath -m "${TEST_SERVERS:-../../.build/servers}")
PATH=$PATH:/usr/local/go/bin
mkdir -p "$out"

# build NAME TOOL FUNCTION SOURCE...
build() {
  local name=$1 tool=$2 function=$3 sum
  shift 3
  if ! command -v "$tool" >/dev/null; then
    echo "$name: skipped, there is no $tool on this machine"
    return
  fi
  sum=$(cat "$@" | sha256sum)
  if [[ -e $out/$name && $(cat "$out/$name.sum" 2>/dev/null) == "$sum" ]]; then
    echo "$name: is built"
    return
  fi
  echo "$name: building"
  rm -rf "${out:?}/$name"
  if ! "$function"; then
    echo "$name: skipped, $tool could not build it (see above)"
    return
  fi
  echo "$sum" >"$out/$name.sum"
}

ferretdb() {
  (cd ferretdb && go build -trimpath -o "$out/ferretdb" .)
}

mongo_java_server() {
  (cd mongo-java-server && mvn --quiet --batch-mode -Doutput="$out/mongo-java-server.tmp" package) &&
    mv "$out/mongo-java-server.tmp" "$out/mongo-java-server"
}

versitygw() {
  (cd versitygw && go build -trimpath -o "$out/versitygw" github.com/versity/versitygw/cmd/versitygw)
}

build ferretdb go ferretdb ferretdb/{main.go,go.mod,go.sum}
build mongo-java-server mvn mongo_java_server mongo-java-server/{pom.xml,src/main/java/Main.java}
if [[ ${1:-} == s3 ]]; then build versitygw go versitygw versitygw/{go.mod,go.sum}; fi
