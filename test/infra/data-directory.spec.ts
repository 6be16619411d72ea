import { once } from 'node:events'
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { claimDataDirectory, controlSocketOf, type DataDirectory } from '../../infra/data-directory/claim.ts'
import { loadSecret } from '../../infra/data-directory/secret.ts'
import { Child } from './children/child.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('A data directory', () => {
  let temporary: ReturnType<typeof temporaryDirectory>
  let path: string
  beforeEach(() => {
    temporary = temporaryDirectory()
    path = join(temporary.path, 'deep', 'data')
  })
  afterEach(() => temporary.remove())

  const messageOf = (claim: Promise<DataDirectory>): Promise<string> =>
    claim.then(
      () => 'claimed',
      (error: Error) => error.message,
    )

  it('is created for its owner alone, marked, and can be used again', async () => {
    const first = await claimDataDirectory(path)
    expect(statSync(path).mode & 0o777).to.equal(0o700)
    const marker = readFileSync(join(path, 'millrace.json'), 'utf8')
    expect(JSON.parse(marker)).to.include({ product: 'millrace', format: 2 })
    await first.release()
    const second = await claimDataDirectory(path)
    expect(readFileSync(join(path, 'millrace.json'), 'utf8')).to.equal(marker)
    await second.release()
  })

  it('is refused when it holds something else, which stays as it is', async () => {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'thesis.tex'), 'x')
    expect(await messageOf(claimDataDirectory(path)))
      .to.include(path)
      .and.include('thesis.tex')
      .and.include('empty')
    expect(readdirSync(path)).to.deep.equal(['thesis.tex'])
  })

  it('is refused when its marker is of another format, another program, or unreadable', async () => {
    mkdirSync(path, { recursive: true })
    const marker = join(path, 'millrace.json')
    for (const [content, says] of [
      ['{"product":"millrace","format":3}', 'format 3'],
      ['{"product":"millrace","format":1}', 'millrace events export --archive'],
      ['{"product":"sawmill","format":2}', 'not that of a Millrace data directory'],
      ['null', 'not that of a Millrace data directory'],
      ['{"prod', 'cannot be read'],
    ] as const) {
      writeFileSync(marker, content)
      expect(await messageOf(claimDataDirectory(path)))
        .to.include(path)
        .and.include(says)
      expect(readdirSync(path)).to.deep.equal(['millrace.json'])
    }
  })

  it('is refused while another process uses it, by its pid, and free when that has ended', async () => {
    const child = await claimedBy(path)
    expect(await messageOf(claimDataDirectory(path))).to.equal(
      `Another millrace process (pid ${child.pid}) is using ${path}. ` +
        'Stop it first, or give this one another data directory.',
    )
    await child.end()
    await (await claimDataDirectory(path)).release()
  })

  it('is refused within one process too', async () => {
    const { release } = await claimDataDirectory(path)
    expect(await messageOf(claimDataDirectory(path))).to.include(`pid ${process.pid}`)
    await release()
  })

  it('is free after its process was killed, and keeps nothing of it', async () => {
    for (let round = 0; round < 3; round++) {
      const child = await claimedBy(path)
      await child.end('SIGKILL')
    }
    const { release } = await claimDataDirectory(path)
    expect(readdirSync(path)).to.have.length(3)
    await release()
    expect(readdirSync(path)).to.have.length(2)
  })

  const OTHER_USER = 65_534
  const asOtherUser = async <T>(act: () => Promise<T>): Promise<T> => {
    process.seteuid!(OTHER_USER)
    try {
      return await act()
    } finally {
      process.seteuid!(0)
    }
  }
  const giveToOtherUser = (): void => {
    mkdirSync(path, { recursive: true })
    for (const each of [temporary.path, dirname(path), path]) chownSync(each, OTHER_USER, OTHER_USER)
  }

  it('is free for its owner after a command of root has used it', async function () {
    if (process.getuid?.() !== 0) this.skip()
    giveToOtherUser()
    await (await claimDataDirectory(path)).release()
    expect(lstatSync(controlSocketOf(path)).uid).to.equal(OTHER_USER)
    chownSync(join(path, 'millrace.json'), OTHER_USER, OTHER_USER)
    expect(await asOtherUser(() => messageOf(claimDataDirectory(path)))).to.equal('claimed')
  })

  it('names a socket that it may not ask, and does not call it a running process', async function () {
    if (process.getuid?.() !== 0) this.skip()
    giveToOtherUser()
    const { release } = await claimDataDirectory(path)
    await release()
    const socket = controlSocketOf(path)
    chownSync(socket, 0, 0)
    chownSync(join(path, 'millrace.json'), OTHER_USER, OTHER_USER)
    expect(await asOtherUser(() => messageOf(claimDataDirectory(path))))
      .to.include(socket)
      .and.include('remove that file')
      .and.not.include('Another millrace process')
  })

  it('stays taken while its process is stopped', async () => {
    const child = await claimedBy(path)
    child.process.kill('SIGSTOP')
    expect(await messageOf(claimDataDirectory(path))).to.include(`pid ${child.pid}`)
    child.process.kill('SIGCONT')
    await child.end()
  })

  it('goes to exactly one of 20 processes that start at once where another was killed', async () => {
    await (await claimedBy(path)).end('SIGKILL')
    const children = Array.from({ length: 20 }, () => new Child('claim-directory', [path]))
    await Promise.all(children.map((child) => child.line(0)))
    for (const child of children) child.say('go')
    const answers = await Promise.all(children.map((child) => child.line(1)))
    const winner = children[answers.indexOf('claimed')]!
    expect(answers.filter((answer) => answer === 'claimed')).to.have.length(1)
    for (const answer of answers.filter((each) => each !== 'claimed')) expect(answer).to.include(`pid ${winner.pid}`)
    await Promise.all(children.map((child) => child.end()))
  }).timeout(60_000)

  it('goes to exactly one of many that claim and release it all the time', async () => {
    let holders = 0
    let claims = 0
    const contend = async () => {
      for (let n = 0; n < 25; n++) {
        const directory = await claimDataDirectory(path).catch(() => undefined)
        if (directory) {
          claims++
          expect(++holders).to.equal(1)
          await new Promise(setImmediate)
          holders--
          await directory.release()
        }
        await new Promise(setImmediate)
      }
    }
    await Promise.all(Array.from({ length: 12 }, contend))
    expect(claims).to.be.at.least(10)
  })

  it('is reached by its control socket, however long its path is', async () => {
    for (const directory of [path, join(temporary.path, 'long'.repeat(30), 'name'.repeat(30))]) {
      const claimed = await claimDataDirectory(directory)
      const http = createServer((_, response) => response.end('at your service'))
      claimed.server.on('connection', (connection) => http.emit('connection', connection))
      const request = get({ socketPath: controlSocketOf(directory), path: '/', agent: false })
      const [response] = await once(request, 'response')
      expect(Buffer.concat(await response.toArray()).toString()).to.equal('at your service')
      expect(await messageOf(claimDataDirectory(directory))).to.include(`pid ${process.pid}`)
      await claimed.release()
      const [error] = await once(get({ socketPath: controlSocketOf(directory), path: '/' }), 'error')
      expect(error).to.have.property('code', 'ECONNREFUSED')
      rmSync(dirname(controlSocketOf(directory)), { recursive: true })
    }
  })

  it('has a control socket that nobody answers when there is none', async () => {
    const [error] = await once(get({ socketPath: controlSocketOf(join(path, 'none')), path: '/' }), 'error')
    expect(error).to.have.property('code', 'ENOENT')
  })
})

describe('The master secret', () => {
  let temporary: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    temporary = temporaryDirectory()
  })
  afterEach(() => temporary.remove())

  it('is generated once, for its owner alone', () => {
    const secret = loadSecret(temporary.path)
    expect(secret).to.have.length(32)
    expect(loadSecret(temporary.path)).to.deep.equal(secret)
    expect(statSync(join(temporary.path, 'secret')).mode & 0o777).to.equal(0o600)
    expect(readdirSync(temporary.path)).to.deep.equal(['secret'])
  })

  it('is the configured one, in any of its forms, and is not written down then', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => n * 8))
    for (const text of [bytes.toString('base64'), bytes.toString('hex'), ` ${bytes.toString('hex').toUpperCase()}\n`]) {
      expect(loadSecret(temporary.path, text)).to.deep.equal(bytes)
    }
    const phrase = 'correct horse battery staple, twice over'
    expect(loadSecret(temporary.path, phrase)).to.have.length(32)
    expect(loadSecret(temporary.path, phrase)).not.to.deep.equal(loadSecret(temporary.path, `${phrase}!`))
    expect(readdirSync(temporary.path)).to.deep.equal([])
  })

  it('is refused when it is too short or lost, with what to do', () => {
    expect(() => loadSecret(temporary.path, 'hunter2'))
      .to.throw('too short')
      .with.property('message')
      .that.includes('32')
    expect(() => loadSecret(temporary.path, '')).to.throw('too short')
    writeFileSync(join(temporary.path, 'secret'), 'half a secr')
    expect(() => loadSecret(temporary.path))
      .to.throw(join(temporary.path, 'secret'))
      .with.property('message')
      .that.includes('backup')
  })
})

async function claimedBy(path: string): Promise<Child> {
  const child = new Child('claim-directory', [path])
  child.say('go')
  expect(await child.line(1)).to.equal('claimed')
  return child
}
