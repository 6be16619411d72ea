import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles what tsc made of the program into `dist/program`: `millrace.js`, its threads, and the parts that it loads late. A start reads 90 files
 * instead of 2,500, and takes half of the processor time. Nothing of it is needed but by what starts the program: tests that run parts of it in
 * their own process load these from where tsc put them.
 */

const DIST = path.join(import.meta.dirname, '../../dist')
const OUT = path.join(DIST, 'program')
const ROOMS = ['domain', 'projections', 'api', 'workers', 'infra']

/** Packages of many small files, which go into the bundle. The others are loaded from where npm put them. */
const TAKEN_IN = new Set([
  'dom-serializer',
  'domelementtype',
  'domhandler',
  'domutils',
  'entities',
  'htmlparser2',
  'iso-3166',
  'mdurl',
  'mingo',
  'nodemailer',
  'postal-mime',
  'temporal-polyfill',
  'temporal-utils',
  'typebox',
])

/** How a file names a program that it starts in a thread or process of its own. */
const PROGRAM = /new URL\('(\.{1,2}\/[^']+\.js)', import\.meta\.url\)/g

const nameOf = (file) => path.relative(DIST, file).slice(0, -'.js'.length).replaceAll(path.sep, '-')

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Has what files say of their own place hold in the bundle: programs are beside it, and data are where they were. */
const placed = (file, text) => {
  const folder = path.dirname(file)
  const moved = text
    .replaceAll(PROGRAM, (_, program) => `new URL('./${nameOf(path.join(folder, program))}.js', import.meta.url)`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${path.relative(OUT, folder)}')`)
  const unknown = moved.replaceAll(/(createRequire\(|new URL\('\.\/[\w-]+\.js', )import\.meta\.url/g, '')
  if (unknown.includes('import.meta.url')) throw new Error(`${file}: say new URL('./file.js', import.meta.url)`)
  return moved
}

const bundling = {
  name: 'program',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path: specifier }) =>
      kind === 'entry-point' || TAKEN_IN.has(packageOf(specifier)) ? undefined : { path: specifier, external: true },
    )
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
      return file.startsWith(OUT) || !file.startsWith(DIST) || !text.includes('import.meta')
        ? undefined
        : { contents: placed(file, text), loader: 'js' }
    })
  },
}

const files = ROOMS.flatMap((room) =>
  readdirSync(path.join(DIST, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(DIST, room, file)),
)
const programs = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(PROGRAM)].map(([, program]) => path.join(path.dirname(file), program)),
)

rmSync(OUT, { recursive: true, force: true })
await build({
  entryPoints: {
    millrace: path.join(DIST, 'infra/cli/millrace.js'),
    ...Object.fromEntries(programs.map((file) => [nameOf(file), file])),
  },
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  // What is taken in may be of CommonJS, which asks for modules of Node.js by `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [bundling],
})
