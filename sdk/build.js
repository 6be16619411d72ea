import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { chunks, core, DIRECTORY } from './rollup.config.js'

/**
 * Bundles what tsc made of the SDK, and names the chunks in `manifest.json`. Fails when what every page loads has become too big.
 */

/** Most bytes of `sdk.js`, compressed. */
const BUDGET = 3000

const sizeOf = (code) => gzipSync(code, { level: 9 }).length

const bundle = async ({ output, ...options }) => {
  const bundled = await rollup(options)
  const { output: files } = await bundled.write(output)
  await bundled.close()
  for (const { fileName, code } of files) process.stdout.write(`${fileName}: ${sizeOf(code)} bytes compressed\n`)
  const [{ code }] = files
  const named = files.map((file) => [file.fileName.split('-')[0], file.fileName])
  return { code, named: Object.fromEntries(named) }
}

for (const file of readdirSync(DIRECTORY)) {
  if (/-[0-9a-f]{8}\.js$/.test(file)) rmSync(path.join(DIRECTORY, file))
}
const names = {}
for (const chunk of chunks) Object.assign(names, (await bundle(chunk)).named)
const { code } = await bundle(core(names))
writeFileSync(path.join(DIRECTORY, 'manifest.json'), `${JSON.stringify({ chunks: names })}\n`)
if (sizeOf(code) > BUDGET) {
  process.stderr.write(`sdk.js must not be bigger than ${BUDGET} bytes compressed\n`)
  process.exit(1)
}
