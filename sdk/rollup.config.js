import { existsSync } from 'node:fs'
import path from 'node:path'
import terser from '@rollup/plugin-terser'

/** Where tsc puts what it compiles, and where the bundles go. */
export const DIRECTORY = path.join(import.meta.dirname, '../dist/sdk')

const compiled = (file) => path.join(DIRECTORY, file)

/** Serves modules that are written while the bundle is built, by the ends of their names. */
const written = (modules) => ({
  name: 'written',
  resolveId: (id) => (id in modules ? id : null),
  load: (id) => Object.entries(modules).find(([end]) => id.endsWith(end))?.[1],
})

/** Keeps the address of a chunk as it is; tsc takes it for a path in this repository. */
const plainImport = {
  name: 'plain-import',
  transform: (code) => code.replace('__rewriteRelativeImportExtension(url)', 'url'),
}

/** tsc's helper for such an address is written for scripts, too; nothing of it is left in the end. */
const onLog = (level, log, report) => log.code !== 'THIS_IS_UNDEFINED' && report(level, log)

const minify = terser({
  ecma: 2020,
  compress: { passes: 3, unsafe_arrows: true, pure_getters: true },
  toplevel: true,
})

/** What the core loads when a page needs it. Parts of fewer bytes than `least` are not files of their own. */
const ENTRIES = {
  badge: { file: compiled('badge/main.js') },
  forms: { file: compiled('forms/main.js'), least: 400 },
  checkout: {
    file: compiled('checkout/main.js'),
    code: `
      import { mount } from '${compiled('checkout/main.js')}'
      import { chunkOf } from '${compiled('shop/main.js')}'
      export const open = chunkOf(mount)`,
  },
}

/** Chunks are ES modules with a hash in their names, so that they can be kept for ever, and share nothing with each other. What only some pages
 * need of a chunk, such as the field of a gateway, is a file that it loads itself. */
export const chunks = Object.entries(ENTRIES)
  .filter(([, { file }]) => existsSync(file))
  .map(([name, { file, code, least = 1500 }]) => ({
    input: code ? `${name}-entry.js` : file,
    preserveEntrySignatures: 'allow-extension',
    plugins: [written(code ? { [`${name}-entry.js`]: code } : {}), minify],
    output: {
      dir: DIRECTORY,
      format: 'es',
      entryFileNames: `${name}-[hash].js`,
      chunkFileNames: (chunk) => `${name}${chunk.name.replace(/[^a-z]/g, '')}-[hash].js`,
      hashCharacters: 'hex',
      experimentalMinChunkSize: least,
    },
  }))

/** The loader and the core in one file that any page can include, and which knows the names of the chunks. */
export const core = (names) => {
  const constants = Object.keys(ENTRIES).map(
    (name) => `export const ${name.toUpperCase()} = '${names[name] ?? `${name}.js`}'`,
  )
  return {
    input: compiled('core/main.js'),
    onLog,
    plugins: [written({ '/core/chunks.js': constants.join('\n') }), plainImport, minify],
    output: { file: compiled('sdk.js'), format: 'iife', strict: false },
  }
}
