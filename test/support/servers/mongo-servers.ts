import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A server that speaks MongoDB's protocol. */
export interface MongoServer {
  readonly name: string
  /** The reason why it cannot be used on this machine; `undefined` when it can. */
  readonly missing: string | undefined
  /** Starts it unless it is running. One instance serves the whole test run and stops with it. */
  url(): Promise<string>
}

/** A separate server, for tests that stop it. */
export interface OwnServer {
  readonly url: string
  readonly pid: number
  signal(signal: NodeJS.Signals): void
  /** Kills it and waits for its exit. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const BUILT = path.resolve(process.env.TEST_SERVERS ?? path.join(import.meta.dirname, '../../../../.build/servers'))
const FERRETDB = path.join(BUILT, 'ferretdb')
const JAVA_SERVER = path.join(BUILT, 'mongo-java-server')
const PATIENCE_MS = 30_000

/** Starts FerretDB with its data in a directory; a later one can use the same data. */
export const startFerretdb = (directory: string): Promise<OwnServer> => start(FERRETDB, [directory])

const startJavaServer = (): Promise<OwnServer> => {
  const classes = [path.join(JAVA_SERVER, 'server.jar'), path.join(JAVA_SERVER, 'lib', '*')].join(path.delimiter)
  return start('java', ['-Xmx1g', '-XX:+UseSerialGC', '-cp', classes, 'Main'])
}

const startTemporaryFerretdb = (): Promise<OwnServer> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'millrace-ferretdb-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return startFerretdb(directory)
}

const server = (name: string, missing: string | undefined, run: () => Promise<{ url: string }>): MongoServer => {
  let running: Promise<{ url: string }> | undefined
  return {
    name,
    missing,
    async url() {
      running ??= run()
      return (await running).url
    },
  }
}

const unbuilt = (file: string) => (existsSync(file) ? undefined : 'not built: test/servers/build.sh builds it')

/** Two independent servers, so that we rely on the quirks of neither; and a real MongoDB, when `MONGODB_URL` names one. */
export const ferretdb = server('FerretDB', unbuilt(FERRETDB), startTemporaryFerretdb)
export const javaServer = server('mongo-java-server', unbuilt(JAVA_SERVER), startJavaServer)
const real = process.env.MONGODB_URL
export const mongoServers: readonly MongoServer[] = [
  ferretdb,
  javaServer,
  ...(real ? [server('MongoDB', undefined, async () => ({ url: real }))] : []),
]

/** Describes a suite for a server. When the server cannot be used, one skipped test gives the reason. */
export const describeOn = (on: MongoServer, suite: (on: MongoServer) => void): void => {
  describe(on.name, () => {
    if (on.missing) it.skip(on.missing)
    else suite(on)
  })
}

const start = (command: string, args: readonly string[]): Promise<OwnServer> => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.stdin.end()
    await gone
  }
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${path.basename(command)} ${reason}: ${complaint}`))
    const timer = setTimeout(() => {
      child.kill()
      fail('did not say its URL')
    }, PATIENCE_MS)
    child.once('error', (error) => fail(`does not start (${error.message})`))
    void gone.then(() => fail('ended'))
    createInterface(child.stdout).once('line', (url) => {
      clearTimeout(timer)
      leaveAlone(child)
      const kill = async () => {
        child.kill('SIGKILL')
        await gone
      }
      resolve({ url: url.trim(), pid: child.pid!, signal: (signal) => void child.kill(signal), kill, stop })
    })
  })
}

/** Lets this process exit before the child, which stops when its input closes. */
const leaveAlone = (child: ChildProcessByStdio<Writable, Readable, Readable>): void => {
  child.unref()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as unknown as { unref(): void }).unref()
}
