#!/usr/bin/env bash
# Runs the storage suites, and one end to end, under a Node.js whose built-in SQLite is used. npm has that Node.js as a package.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=24.21.0
package=$(node -p '`node-${process.platform}-${process.arch}`')
home=.build/node-$version
if [[ ! -x $home/node_modules/$package/bin/node ]]; then
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-audit --no-fund "$package@$version"
fi
node dist/test/support/run.js --under "$home/node_modules/$package/bin/node" infra/log-db/ infra/read-models/ infra/key-halves e2e/earlier-versions
