import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { millraceFile, programFile, ROOT } from '../places.ts'

const LONGEST_MS = 600_000
const MOST_OUTPUT = 1 << 26

/** Another commit of this repository, installed and built. */
export interface Checkout {
  readonly hash: string
  readonly subject: string
  readonly root: string
}

/** The environment without the package prefix of an outer npm: a nested `npm install` would install into that package. */
const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { npm_config_local_prefix: _, npm_config_prefix: __, ...env } = process.env
  return env
}

const tool = async (cwd: string, command: string, ...args: string[]): Promise<string> => {
  const options = { cwd, env: ownEnvironment(), timeout: LONGEST_MS, maxBuffer: MOST_OUTPUT }
  const running = promisify(execFile)(command, args, options)
  const stop = () => running.child.kill()
  process.once('exit', stop)
  try {
    return (await running).stdout.trim()
  } finally {
    process.off('exit', stop)
  }
}

/** Builds in a sibling directory and renames it at the end, so that the target directory is always complete. */
const build = async (hash: string, root: string): Promise<void> => {
  await mkdir(path.dirname(root), { recursive: true })
  const place = await mkdtemp(`${root}-`)
  try {
    const archive = path.join(place, 'commit.tar')
    await tool(ROOT, 'git', 'archive', '--format=tar', `--output=${archive}`, hash)
    await tool(place, 'tar', '-xf', archive)
    await rm(archive)
    await tool(place, 'npm', 'ci', '--prefix', place, '--include=dev', '--no-audit', '--no-fund')
    await tool(place, 'npm', 'run', '--prefix', place, 'build')
    await rename(place, root)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Extracts, installs and builds a commit below this directory, once for each commit. @throws {Error} when that fails */
export const checkOut = async (commit: string, dir: string, tell: (text: string) => void): Promise<Checkout> => {
  const hash = await tool(ROOT, 'git', 'rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`)
  const subject = await tool(ROOT, 'git', 'log', '-1', '--format=%s', hash, '--')
  const root = path.resolve(dir, 'against', hash)
  if (!existsSync(root)) {
    tell(`extracting and building ${hash}`)
    await build(hash, root)
  }
  for (const file of [millraceFile(root), programFile('fill', root)]) {
    if (!existsSync(file)) throw new Error(`${hash} cannot be compared: it has no ${path.relative(root, file)}`)
  }
  return { hash, subject, root }
}
