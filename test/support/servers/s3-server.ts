import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

const BUILT = path.resolve(process.env.TEST_SERVERS ?? path.join(import.meta.dirname, '../../../../.build/servers'))
const SERVER = path.join(BUILT, 'versitygw')

/** The reason why no real S3 server can be used on this machine; `undefined` when one can. */
export const missingS3Server = existsSync(SERVER) ? undefined : 'not built: test/servers/build.sh s3 builds it'

const answers = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** Starts a server with an empty bucket. It and its directory are removed when this process exits. @returns its address, in the form of `S3_URL` */
export const startS3Server = async (): Promise<string> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'millrace-s3-'))
  mkdirSync(path.join(directory, 'files'))
  const port = await freePort()
  const env = { ...process.env, ROOT_ACCESS_KEY: 'AKTEST', ROOT_SECRET_KEY: 'a-secret-of-tests' }
  const child = spawn(SERVER, ['--port', `127.0.0.1:${port}`, 'posix', directory], { env, stdio: 'ignore' })
  child.unref()
  process.on('exit', () => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })
  while (!(await answers(`http://127.0.0.1:${port}`))) {
    if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`)
    await sleep(50)
  }
  return `http://AKTEST:a-secret-of-tests@127.0.0.1:${port}/files`
}
