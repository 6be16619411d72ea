import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AS_PERSON, CHROMIUM } from '../../support/chromium.ts'

/**
 * Opens an address in a Chromium that nobody watches: it prerenders no page that is attached to.
 *
 * @returns what closes it
 */
export const openBareChromium = async (url: string): Promise<() => Promise<void>> => {
  const profile = await mkdtemp(path.join(tmpdir(), 'millrace-chromium-'))
  const names = '--host-resolver-rules=MAP *.test 127.0.0.1'
  const args = [
    '--headless',
    AS_PERSON,
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    `--user-data-dir=${profile}`,
    names,
  ]
  // A group of its own, since the browser has processes of its own.
  const child = spawn(CHROMIUM, [...args, url], { stdio: 'ignore', detached: true })
  await once(child, 'spawn')
  return async () => {
    const ended = once(child, 'exit')
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}
