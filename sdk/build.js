import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { chunks, core, DIRECTORY } from './rollup.config.js'

/**
 * Bundles what tsc made of the SDK, and lists the files in `manifest.json`. Fails when what every page loads has become too big.
 */

/** Most bytes of `sdk.js`, compressed. */
const BUDGET = 3000

const sizeOf = (code) => gzipSync(code, { level: 9 }).length

const bundle = async ({ output, ...options }) => {
  const bundled = await rollup(options)
  const { output: files } = await bundled.write(output)
  await bundled.close()
  for (const { fileName, code } of files) process.stdout.write(`${fileName}: ${sizeOf(code)} bytes compressed\n`)
  const [{ fileName, code }] = files
  return { fileName, code, all: files.map((file) => file.fileName) }
}

for (const file of readdirSync(DIRECTORY)) {
  if (/-[0-9a-f]{8}\.js$/.test(file)) rmSync(path.join(DIRECTORY, file))
}
const names = {}
const listed = []
for (const { name, ...chunk } of chunks) {
  const { fileName, all } = await bundle(chunk)
  names[name] = fileName
  listed.push(...all)
}
const { fileName, code } = await bundle(core(names))
writeFileSync(path.join(DIRECTORY, 'manifest.json'), `${JSON.stringify({ files: [fileName, ...listed] })}\n`)
if (sizeOf(code) > BUDGET) {
  process.stderr.write(`${fileName} must not be bigger than ${BUDGET} bytes compressed\n`)
  process.exit(1)
}
