import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { chunks, core, DIRECTORY } from './rollup.config.js'

/**
 * Bundles what tsc made of the SDK, stores it compressed as well, and names the chunks in `manifest.json`. Fails when what every page loads has
 * become too big.
 */

/** Most bytes of `sdk.js`, compressed. */
const BUDGET = 3000

/** Stores a file in both encodings that the service sends. Returns its size in bytes when compressed by gzip. */
const compress = ({ fileName, code }) => {
  const gzipped = gzipSync(code, { level: 9 })
  writeFileSync(path.join(DIRECTORY, `${fileName}.gz`), gzipped)
  writeFileSync(path.join(DIRECTORY, `${fileName}.br`), brotliCompressSync(code))
  return gzipped.length
}

const bundle = async ({ output, ...options }) => {
  const bundled = await rollup(options)
  const { output: files } = await bundled.write(output)
  await bundled.close()
  const sizes = files.map(compress)
  for (const [index, { fileName }] of files.entries())
    process.stdout.write(`${fileName}: ${sizes[index]} bytes compressed\n`)
  const named = files.map((file) => [file.fileName.split('-')[0], file.fileName])
  return { size: sizes[0], named: Object.fromEntries(named) }
}

for (const file of readdirSync(DIRECTORY)) {
  if (/-[0-9a-f]{8}\.js(\.gz|\.br)?$/.test(file)) rmSync(path.join(DIRECTORY, file))
}
const names = {}
for (const chunk of chunks) Object.assign(names, (await bundle(chunk)).named)
const { size } = await bundle(core(names))
writeFileSync(path.join(DIRECTORY, 'manifest.json'), `${JSON.stringify({ chunks: names })}\n`)
if (size > BUDGET) {
  process.stderr.write(`sdk.js must not be bigger than ${BUDGET} bytes compressed\n`)
  process.exit(1)
}
