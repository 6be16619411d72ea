import { expect } from 'chai'
import { foldersOf, type Import, importsBelow } from '../support/import-graph.ts'

/** Top folders, and the folders that each may import from. */
const TOP: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  projections: ['domain', 'projections'],
  api: ['domain', 'projections', 'api'],
  workers: ['domain', 'projections', 'workers'],
  infra: ['domain', 'projections', 'workers', 'infra'],
  sdk: ['sdk'],
}

/** Folders beside the product, which may import anything. */
const BESIDE = ['test', 'bench', 'examples', 'dist', 'node_modules']

/** Folders that wire the API and the adapters together. */
const COMPOSITION_ROOTS = ['infra/runtime/', 'infra/docs/']

/** Folders of the kernel; each may import from those before it. */
const KERNEL = ['values', 'ports', 'model', 'decide', 'react', 'engine']

/**
 * Floors of the API. A room may import from itself and from the floors below it, so that there is no circle. `.` stands for the files directly in `api`; `app.ts` puts
 * the rooms together.
 */
const FLOORS = [
  ['.'],
  ['http'],
  ['handlers', 'html'],
  ['page-app', 'sdk'],
  ['accounts', 'mail'],
  ['oauth', 'pages'],
  ['members', 'openapi'],
  ['agents', 'public'],
  ['app.ts'],
]

/** Packages without I/O that read no clock. */
const PURE = [
  'typebox',
  'sqids',
  'lru-cache',
  'iso-3166',
  'rails-timezone',
  'temporal-polyfill',
  'punycode/punycode.js',
  'entities/decode',
  'htmlparser2',
  // Its file system is reached by tags alone that are taken away, and its clock is replaced.
  'liquidjs',
  'tldts',
]

/** Packages of stores; only infra may import them. */
const STORES = /^(@photostructure\/sqlite|mongodb|@eventstore\/|@aws-sdk\/)/

const partOf = (file: string, depth: number): string => file.split('/')[depth] ?? ''

const roomOf = (file: string): string => partOf(file, 0)

/** The domain folder of a file: the kernel, the resources, or a family; `undefined` for the list of families, and outside of the domain. */
const roomOfDomain = (file: string): string | undefined => {
  const [top, room, below] = file.split('/')
  return top !== 'domain' || below === undefined ? undefined : room
}

/** The room of the API of a file; `undefined` outside of it. */
const roomOfApi = (file: string): string | undefined => {
  const [top, room, below] = file.split('/')
  if (top !== 'api') return undefined
  return below === undefined && room !== 'app.ts' ? '.' : room
}

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

const broken = (imports: readonly Import[], isAllowed: (one: Import) => boolean): readonly string[] =>
  imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`)

describe('the import law, derived from the folders', () => {
  const imports = importsBelow(Object.keys(TOP))
  const files = imports.filter(({ isPackage }) => !isPackage)
  const packages = imports.filter(({ isPackage }) => isPackage)

  it('covers every top folder', () => {
    const rooms = foldersOf('.').filter((name) => !name.startsWith('.') && !BESIDE.includes(name))
    const product = rooms.filter((name) => importsBelow([name]).some(({ to }) => to.startsWith('domain/')))
    expect([...product, 'sdk']).to.have.members(Object.keys(TOP))
  })

  it('lets top folders import only from those below them', () => {
    const isAllowed = ({ from, to }: Import) =>
      TOP[roomOf(from)]?.includes(roomOf(to)) === true ||
      (roomOf(to) === 'api' && COMPOSITION_ROOTS.some((root) => from.startsWith(root)))
    expect(broken(files, isAllowed)).to.deep.equal([])
  })

  it('gives the browser SDK no package, and nothing of the server', () => {
    expect(packages.filter(({ from }) => roomOf(from) === 'sdk')).to.deep.equal([])
  })

  it('keeps the domain pure, and stores in infra', () => {
    const isAllowed = ({ from, to }: Import) =>
      roomOf(from) === 'domain' ? PURE.includes(to) : roomOf(from) === 'infra' || !STORES.test(to)
    expect(broken(packages, isAllowed)).to.deep.equal([])
  })

  it('lets a command load no record before it needs one', () => {
    const loaded = new Set(['infra/cli/millrace.ts'])
    for (const file of loaded)
      for (const { from, to, isLoaded } of imports) if (from === file && isLoaded) loaded.add(to)
    expect(loaded).to.include('infra/cli/commands/users.ts').and.not.include('typebox')
  })

  it('lets rooms of the API import only from the floors below them', () => {
    expect(FLOORS.flat()).to.have.members(['.', ...foldersOf('api'), 'app.ts'])
    const isAllowed = ({ from, to }: Import) => {
      const [own, other] = [roomOfApi(from), roomOfApi(to)]
      if (own === undefined || other === undefined || own === other) return true
      return floorOf(other) < floorOf(own)
    }
    expect(broken(files, isAllowed)).to.deep.equal([])
  })

  it('lets the kernel import only itself, its folders in one order', () => {
    expect(foldersOf('domain/kernel')).to.have.members(KERNEL)
    const isAllowed = ({ from, to }: Import) =>
      roomOfDomain(from) !== 'kernel' ||
      (roomOfDomain(to) === 'kernel' && KERNEL.indexOf(partOf(to, 2)) <= KERNEL.indexOf(partOf(from, 2)))
    expect(broken(files, isAllowed)).to.deep.equal([])
  })

  it('lets resources know the kernel, and no family', () => {
    const isAllowed = ({ from, to }: Import) =>
      roomOfDomain(from) !== 'resources' || ['kernel', 'resources'].includes(roomOfDomain(to) ?? '')
    expect(broken(files, isAllowed)).to.deep.equal([])
  })

  it('lets a family take from another only its public.ts or a model', () => {
    const families = new Set(foldersOf('domain').filter((room) => !['kernel', 'resources'].includes(room)))
    const isAllowed = ({ from, to }: Import) => {
      const [own, other] = [roomOfDomain(from), roomOfDomain(to)]
      if (!families.has(own ?? '') || own === other || !families.has(other ?? '')) return true
      return to === `domain/${other}/public.ts` || to.endsWith('/model.ts')
    }
    expect(broken(files, isAllowed)).to.deep.equal([])
  })
})
